-- Times are microseconds since 1970, UTC. Texts and payloads are as published.

-- Positions and tokens are handed out from here, so that none is ever used twice.
CREATE TABLE counters (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL,
    token    INTEGER NOT NULL
) STRICT;

INSERT INTO counters (id, position, token) VALUES (1, 0, 0);

-- Unfinished events only: what is done or dead leaves, so the table is as small as the work that waits.
-- The payload comes last: reading what precedes it never walks its overflow pages.
CREATE TABLE events (
    seq              INTEGER PRIMARY KEY,
    state            INTEGER NOT NULL,            -- 0 ready, 1 claimed, 2 blocked behind an earlier event of its key
    queue            INTEGER NOT NULL,            -- 0 to 3: its priority; 4: suspect
    due_at           INTEGER NOT NULL,
    token            INTEGER,                     -- of the claim that holds it
    failed           INTEGER NOT NULL DEFAULT 0,
    interrupted      INTEGER NOT NULL DEFAULT 0,
    crashed          INTEGER NOT NULL DEFAULT 0,
    first_claimed_at INTEGER,
    last_delay       INTEGER NOT NULL DEFAULT 0,
    redrives         INTEGER NOT NULL DEFAULT 0,
    auto_redrives    INTEGER NOT NULL DEFAULT 0,
    batch            TEXT,                        -- of its last redrive
    origin           INTEGER,                     -- position of its first publication, when that is another
    event_id         TEXT    NOT NULL,
    correlation_id   TEXT    NOT NULL,            -- '' for none
    name             TEXT    NOT NULL,
    source           TEXT    NOT NULL,
    priority         INTEGER NOT NULL,
    ordering_key     TEXT,
    content_type     TEXT    NOT NULL,
    headers          TEXT,                        -- a JSON object; NULL when there are none
    created_at       INTEGER NOT NULL,
    published_due_at INTEGER,                     -- as published, once due_at has moved
    deadline_at      INTEGER,
    original_payload BLOB,                        -- as published, once an operator edited it
    payload          BLOB    NOT NULL
) STRICT;

-- The queue itself: a claim reads the left end of one queue's range, however many wait further right.
CREATE INDEX events_ready   ON events (queue, due_at, seq)  WHERE state = 0;
CREATE INDEX events_blocked ON events (due_at)              WHERE state = 2;
CREATE INDEX events_key     ON events (ordering_key, seq)   WHERE ordering_key IS NOT NULL;
CREATE INDEX events_batch   ON events (batch)               WHERE batch IS NOT NULL;

-- One row for each call of claim that found something; gone when its last event is settled or recovered.
CREATE TABLE leases (
    token    INTEGER PRIMARY KEY,
    node     TEXT    NOT NULL,
    until_at INTEGER NOT NULL,
    held     INTEGER NOT NULL,                    -- how many of its events are not settled yet
    seqs     TEXT    NOT NULL                     -- what was claimed, as a JSON array
) STRICT;

-- What was published, to tell duplicates. The rowid ascends with time: expiry takes from its left end, no second index.
CREATE TABLE event_keys (
    seq            INTEGER PRIMARY KEY,
    event_id       TEXT    NOT NULL,
    correlation_id TEXT    NOT NULL,
    seen_at        INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX event_keys_key ON event_keys (event_id, correlation_id);

-- Failures of unfinished and dead events, of all their lives. An event that ends well takes its own along.
CREATE TABLE attempts (
    id         INTEGER PRIMARY KEY,
    origin     INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    node       TEXT    NOT NULL,
    duration   INTEGER NOT NULL,                  -- nanoseconds
    error_type TEXT,
    message    TEXT,
    decision   TEXT    NOT NULL,
    why        TEXT
) STRICT;

CREATE INDEX attempts_origin ON attempts (origin);

CREATE TABLE dead_letters (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    origin           INTEGER NOT NULL,
    reason           TEXT    NOT NULL,
    error_type       TEXT    NOT NULL,
    last_error       TEXT    NOT NULL,
    fingerprint      TEXT    NOT NULL,
    service          TEXT    NOT NULL,
    failed           INTEGER NOT NULL,
    interrupted      INTEGER NOT NULL,
    crashed          INTEGER NOT NULL,
    redrives         INTEGER NOT NULL,
    auto_redrives    INTEGER NOT NULL,
    batch            TEXT,
    dead_at          INTEGER NOT NULL,
    event_id         TEXT    NOT NULL,
    correlation_id   TEXT    NOT NULL,
    name             TEXT    NOT NULL,
    source           TEXT    NOT NULL,
    priority         INTEGER NOT NULL,
    ordering_key     TEXT,
    content_type     TEXT    NOT NULL,
    headers          TEXT,
    created_at       INTEGER NOT NULL,
    due_at           INTEGER NOT NULL,            -- as published
    deadline_at      INTEGER,
    original_payload BLOB,
    payload          BLOB    NOT NULL
) STRICT;

CREATE INDEX dead_letters_fingerprint ON dead_letters (fingerprint);
CREATE INDEX dead_letters_name        ON dead_letters (name);
CREATE INDEX dead_letters_dead_at     ON dead_letters (dead_at);
CREATE INDEX dead_letters_event       ON dead_letters (event_id, correlation_id);
CREATE INDEX dead_letters_batch       ON dead_letters (batch) WHERE batch IS NOT NULL;

CREATE TABLE operator_actions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       INTEGER NOT NULL,
    operator TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    detail   TEXT    NOT NULL,
    letters  INTEGER NOT NULL
) STRICT;
