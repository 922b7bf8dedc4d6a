-- Redrives of many letters, carried on by any process: the order, the frozen selection in numbers, and how far it has come.
CREATE TABLE redrive_operations (
    number         INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL,              -- the batch of its events, and its row in operator_actions
    operator       TEXT    NOT NULL,
    origin         TEXT    NOT NULL,
    about          TEXT    NOT NULL,              -- its letters in words
    stages         TEXT    NOT NULL,              -- letters of each counted stage, such as 1,10,100; '' for none
    per_second     REAL    NOT NULL,              -- 0 for no limit
    stage_limit    INTEGER NOT NULL,              -- microseconds
    most           INTEGER NOT NULL,              -- the most letters
    last_letter    INTEGER NOT NULL,              -- the highest letter when the preview began
    selected_up_to INTEGER NOT NULL,              -- the highest selected letter
    starts_before  INTEGER NOT NULL,              -- the last start when the preview began
    created_at     INTEGER NOT NULL,
    start          INTEGER,                       -- starts are numbered; NULL before
    state          TEXT    NOT NULL,
    why            TEXT    NOT NULL DEFAULT '',   -- of a halt
    halted_by      TEXT    NOT NULL DEFAULT '',   -- a line for each cause of a halt
    selected       INTEGER NOT NULL DEFAULT 0,
    redriven       INTEGER NOT NULL DEFAULT 0,
    done           INTEGER NOT NULL DEFAULT 0,
    dead_again     INTEGER NOT NULL DEFAULT 0,
    gone           INTEGER NOT NULL DEFAULT 0,
    causes         TEXT    NOT NULL DEFAULT '',   -- of the selection, a line for each: how many letters, cause
    returned       TEXT    NOT NULL DEFAULT '',   -- of events that died again
    stage          INTEGER NOT NULL DEFAULT 0,
    sent_in_stage  INTEGER NOT NULL DEFAULT 0,
    stage_end      INTEGER NOT NULL DEFAULT 0,
    next_send      INTEGER NOT NULL DEFAULT 0,
    next_look      INTEGER NOT NULL DEFAULT 0,
    sent_up_to     INTEGER NOT NULL DEFAULT 0,
    looked_up_to   INTEGER NOT NULL DEFAULT 0,
    started_at     INTEGER,
    ended_at       INTEGER,
    changed_at     INTEGER NOT NULL,
    runner         TEXT    NOT NULL DEFAULT '',
    next_turn      INTEGER,                       -- NULL when no turn has work
    dismissed      INTEGER NOT NULL DEFAULT 0     -- 1: its rows are being removed
) STRICT;

CREATE UNIQUE INDEX redrive_operations_id   ON redrive_operations (id);
CREATE INDEX        redrive_operations_turn ON redrive_operations (next_turn) WHERE next_turn IS NOT NULL;

-- The selections: a row for each letter.
CREATE TABLE redrive_letters (
    operation INTEGER NOT NULL,                   -- number of the operation
    letter    INTEGER NOT NULL,
    origin    INTEGER NOT NULL,
    event_id  TEXT    NOT NULL,
    result    INTEGER NOT NULL DEFAULT 0,         -- 0 pending, 1 redriven, 2 done, 3 dead again, 4 gone
    seq       INTEGER,                            -- position of the redriven event
    cause     TEXT    NOT NULL DEFAULT '',        -- of the second death
    PRIMARY KEY (operation, letter)
) STRICT, WITHOUT ROWID;

CREATE INDEX redrive_letters_pending   ON redrive_letters (letter)            WHERE result = 0;
CREATE INDEX redrive_letters_under_way ON redrive_letters (operation, origin) WHERE result = 1;

-- An operation finds the second death of an event by its origin; batches are no longer counted.
CREATE INDEX dead_letters_redriven ON dead_letters (origin) WHERE batch IS NOT NULL;
DROP INDEX dead_letters_batch;
DROP INDEX events_batch;
