-- Redrives of many letters, carried on by any node: the order, the frozen selection in numbers, and how far it has come.
CREATE TABLE redrive_operations (
    number         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id             text    NOT NULL COLLATE "C",  -- the batch of its events, and its row in operator_actions
    operator       text    NOT NULL,
    origin         text    NOT NULL,
    about          text    NOT NULL,              -- its letters in words
    stages         text    NOT NULL,              -- letters of each counted stage, such as 1,10,100; '' for none
    per_second     double precision NOT NULL,     -- 0 for no limit
    stage_limit    bigint  NOT NULL,              -- microseconds
    most           bigint  NOT NULL,              -- the most letters
    last_letter    bigint  NOT NULL,              -- the highest letter when the preview began
    selected_up_to bigint  NOT NULL,              -- the highest selected letter
    starts_before  bigint  NOT NULL,              -- the last start when the preview began
    created_at     bigint  NOT NULL,
    start          bigint,                        -- starts are numbered; NULL before
    state          text    NOT NULL COLLATE "C",
    why            text    NOT NULL DEFAULT '',   -- of a halt
    halted_by      text    NOT NULL DEFAULT '',   -- a line for each cause of a halt
    selected       bigint  NOT NULL DEFAULT 0,
    redriven       bigint  NOT NULL DEFAULT 0,
    done           bigint  NOT NULL DEFAULT 0,
    dead_again     bigint  NOT NULL DEFAULT 0,
    gone           bigint  NOT NULL DEFAULT 0,
    causes         text    NOT NULL DEFAULT '',   -- of the selection, a line for each: how many letters, cause
    returned       text    NOT NULL DEFAULT '',   -- of events that died again
    stage          integer NOT NULL DEFAULT 0,
    sent_in_stage  bigint  NOT NULL DEFAULT 0,
    stage_end      bigint  NOT NULL DEFAULT 0,
    next_send      bigint  NOT NULL DEFAULT 0,
    next_look      bigint  NOT NULL DEFAULT 0,
    sent_up_to     bigint  NOT NULL DEFAULT 0,
    looked_up_to   bigint  NOT NULL DEFAULT 0,
    started_at     bigint,
    ended_at       bigint,
    changed_at     bigint  NOT NULL,
    runner         text    NOT NULL DEFAULT '',
    next_turn      bigint,                        -- NULL when no turn has work
    dismissed      integer NOT NULL DEFAULT 0     -- 1: its rows are being removed
);

CREATE UNIQUE INDEX redrive_operations_id   ON redrive_operations (id);
CREATE INDEX        redrive_operations_turn ON redrive_operations (next_turn) WHERE next_turn IS NOT NULL;

-- The selections: a row for each letter.
CREATE TABLE redrive_letters (
    operation bigint   NOT NULL,                  -- number of the operation
    letter    bigint   NOT NULL,
    origin    bigint   NOT NULL,
    seq       bigint,                             -- position of the redriven event
    result    smallint NOT NULL DEFAULT 0,        -- 0 pending, 1 redriven, 2 done, 3 dead again, 4 gone
    event_id  text     NOT NULL COLLATE "C",
    cause     text     NOT NULL DEFAULT '',       -- of the second death
    PRIMARY KEY (operation, letter)
);

CREATE INDEX redrive_letters_pending   ON redrive_letters (letter)            WHERE result = 0;
CREATE INDEX redrive_letters_under_way ON redrive_letters (operation, origin) WHERE result = 1;

-- An operation finds the second death of an event by its origin; batches are no longer counted.
CREATE INDEX dead_letters_redriven ON dead_letters (origin) WHERE batch IS NOT NULL;
DROP INDEX dead_letters_batch;
DROP INDEX events_batch;
