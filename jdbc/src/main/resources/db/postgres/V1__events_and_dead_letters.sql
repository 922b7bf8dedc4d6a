-- Times are microseconds since 1970, UTC. Texts and payloads are as published.
-- Texts that are compared byte by byte have the collation "C": faster, and the same on every server.

-- Positions and tokens are handed out from here, so that none is ever used twice.
CREATE SEQUENCE positions;
CREATE SEQUENCE tokens;

-- Unfinished events, written once and deleted once: nothing about them changes here while they are worked on. Each is in
-- exactly one further place: ready, a lease, or (waiting behind another of its key) a line or the calls to one.
CREATE TABLE events (
    seq              bigint   PRIMARY KEY,
    created_at       bigint   NOT NULL,
    due_at           bigint   NOT NULL,               -- as published
    deadline_at      bigint,
    origin           bigint,                          -- position of its first publication, when that is another
    redrives         integer  NOT NULL DEFAULT 0,
    auto_redrives    integer  NOT NULL DEFAULT 0,
    priority         smallint NOT NULL,
    event_id         text     NOT NULL COLLATE "C",
    correlation_id   text     NOT NULL COLLATE "C",   -- '' for none
    name             text     NOT NULL COLLATE "C",
    source           text     NOT NULL COLLATE "C",
    ordering_key     text     COLLATE "C",
    content_type     text     NOT NULL COLLATE "C",
    headers          text,                            -- a JSON object; NULL when there are none
    batch            text     COLLATE "C",            -- of its last redrive
    original_payload bytea,                           -- as published, once an operator edited it
    payload          bytea    NOT NULL
);

-- Compressing what is soon deleted costs more than it saves.
ALTER TABLE events ALTER COLUMN payload SET STORAGE EXTERNAL;
ALTER TABLE events ALTER COLUMN original_payload SET STORAGE EXTERNAL;
CREATE INDEX events_batch ON events (batch) WHERE batch IS NOT NULL;

-- The queue itself, as narrow as can be: a row comes when its event may be claimed from due_at on, and a claim deletes it.
CREATE TABLE ready (
    due_at bigint   NOT NULL,
    seq    bigint   NOT NULL,
    size   integer  NOT NULL,                         -- of the payload, in bytes
    queue  smallint NOT NULL,                         -- 0 to 3: its priority; 4: suspect
    PRIMARY KEY (queue, due_at, seq)
);

-- One row for each request that found something: what it took and still holds.
CREATE TABLE leases (
    token      bigint  PRIMARY KEY,
    until_at   bigint  NOT NULL,
    granted_at bigint  NOT NULL,
    held       integer NOT NULL,                      -- how many seqs there are
    node       text    NOT NULL COLLATE "C",
    seqs       bigint[] NOT NULL
);

-- Long lists are kept apart, so that looking for leases that ran out reads short rows.
ALTER TABLE leases ALTER COLUMN seqs SET STORAGE EXTERNAL;
ALTER TABLE leases SET (toast_tuple_target = 128);

-- How often an event was tried. Most events are done at the first attempt and never get a row.
CREATE TABLE tallies (
    seq              bigint  PRIMARY KEY,
    first_claimed_at bigint  NOT NULL,
    last_delay       bigint,                          -- nanoseconds; NULL before the first retry
    failed           integer NOT NULL,
    interrupted      integer NOT NULL,
    crashed          integer NOT NULL
);

-- Unfinished events that have an ordering key, in the order in which they stand in line. Only the first of a line is ever
-- active: ready, or claimed.
CREATE TABLE lines (
    ordering_key text     NOT NULL COLLATE "C",
    ticket       bigint   NOT NULL,
    seq          bigint   NOT NULL UNIQUE,
    due_at       bigint   NOT NULL,
    size         integer  NOT NULL,
    queue        smallint NOT NULL,
    active       boolean  NOT NULL DEFAULT false,
    PRIMARY KEY (ordering_key, ticket)
) WITH (fillfactor = 80);

CREATE SEQUENCE tickets;

-- What is to be done about lines: an event wants to join, or (seq is NULL) the active one has left. One claimer at a time
-- works these off.
CREATE TABLE line_calls (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ordering_key text   NOT NULL COLLATE "C",
    seq          bigint,
    due_at       bigint,
    size         integer,
    queue        smallint
);

-- What was published, to tell duplicates.
CREATE TABLE event_keys (
    event_id       text   NOT NULL COLLATE "C",
    correlation_id text   NOT NULL COLLATE "C",
    seen_at        bigint NOT NULL,
    PRIMARY KEY (event_id, correlation_id)
);

CREATE INDEX event_keys_seen ON event_keys (seen_at);

-- Failures of unfinished and dead events, of all their lives. An event that ends well takes its own along.
CREATE TABLE attempts (
    id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    origin     bigint  NOT NULL,
    number     integer NOT NULL,
    at         bigint  NOT NULL,
    node       text    NOT NULL,
    duration   bigint  NOT NULL,                      -- nanoseconds
    error_type text,
    message    text,
    decision   text    NOT NULL,
    why        text
);

CREATE INDEX attempts_origin ON attempts (origin);

CREATE TABLE dead_letters (
    id               bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    origin           bigint   NOT NULL,
    dead_at          bigint   NOT NULL,
    created_at       bigint   NOT NULL,
    due_at           bigint   NOT NULL,               -- as published
    deadline_at      bigint,
    failed           integer  NOT NULL,
    interrupted      integer  NOT NULL,
    crashed          integer  NOT NULL,
    redrives         integer  NOT NULL,
    auto_redrives    integer  NOT NULL,
    priority         smallint NOT NULL,
    reason           text     NOT NULL COLLATE "C",
    error_type       text     NOT NULL COLLATE "C",
    last_error       text     NOT NULL,
    fingerprint      text     NOT NULL COLLATE "C",
    service          text     NOT NULL COLLATE "C",
    batch            text     COLLATE "C",
    event_id         text     NOT NULL COLLATE "C",
    correlation_id   text     NOT NULL COLLATE "C",
    name             text     NOT NULL COLLATE "C",
    source           text     NOT NULL COLLATE "C",
    ordering_key     text     COLLATE "C",
    content_type     text     NOT NULL COLLATE "C",
    headers          text,
    original_payload bytea,
    payload          bytea    NOT NULL
);

CREATE INDEX dead_letters_fingerprint ON dead_letters (fingerprint);
CREATE INDEX dead_letters_name        ON dead_letters (name);
CREATE INDEX dead_letters_dead_at     ON dead_letters (dead_at);
CREATE INDEX dead_letters_event       ON dead_letters (event_id, correlation_id);
CREATE INDEX dead_letters_batch       ON dead_letters (batch) WHERE batch IS NOT NULL;

CREATE TABLE operator_actions (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       bigint NOT NULL,
    operator text   NOT NULL,
    action   text   NOT NULL,
    detail   text   NOT NULL,
    letters  bigint NOT NULL
);

-- Small facts that all nodes share, changed by compare-and-set. A version is never used twice, also not after its note
-- was erased.
CREATE SEQUENCE note_versions;

CREATE TABLE notes (
    topic   text   NOT NULL COLLATE "C",
    name    text   NOT NULL COLLATE "C",
    value   text   NOT NULL,
    version bigint NOT NULL DEFAULT nextval('note_versions'),
    PRIMARY KEY (topic, name)
);

-- Rows here live for milliseconds: clean up by their number, not by a share of the table, and do not lock it to give
-- space back that is needed again at once.
ALTER TABLE ready      SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
                            autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
ALTER TABLE leases     SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
                            autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
ALTER TABLE lines      SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
                            autovacuum_vacuum_cost_delay = 0);
ALTER TABLE line_calls SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
                            autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
ALTER TABLE events     SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
                            autovacuum_vacuum_cost_delay = 0);
