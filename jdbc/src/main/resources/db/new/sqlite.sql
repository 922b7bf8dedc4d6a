-- Tables and first rows after all migrations. Written by MigrationScriptsTest; never changed by hand.
CREATE TABLE activity (
    period         INTEGER NOT NULL,
    start_at       INTEGER NOT NULL,
    name           TEXT    NOT NULL,
    node           TEXT    NOT NULL,
    published      INTEGER NOT NULL,
    duplicates     INTEGER NOT NULL,
    done           INTEGER NOT NULL,
    retried        INTEGER NOT NULL,
    dead           INTEGER NOT NULL,
    batches        INTEGER NOT NULL,
    batch_timeouts INTEGER NOT NULL,
    handler_time   BLOB,
    latency        BLOB,
    PRIMARY KEY (period, start_at, name, node)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE bookmarks (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    epoch      INTEGER NOT NULL,                      -- number of takeovers; an adoption with another epoch is refused
    owner      TEXT    NOT NULL,
    released   INTEGER NOT NULL,
    taken_from INTEGER NOT NULL,                      -- first unfinished place of the log at the last takeover
    crashes    INTEGER NOT NULL                       -- owners in a row that left no release while the log stood there
) STRICT;
CREATE TABLE cause_sightings (
    fingerprint TEXT    NOT NULL,
    day         INTEGER NOT NULL,                 -- since 1970, UTC
    name        TEXT    NOT NULL,
    version     TEXT    NOT NULL,                 -- '' when unknown
    letters     INTEGER NOT NULL,
    first_at    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL, last_slot INTEGER GENERATED ALWAYS AS (last_at / 600000000) VIRTUAL,
    PRIMARY KEY (fingerprint, day, name, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE causes (
    fingerprint     TEXT    PRIMARY KEY,
    error_type      TEXT    NOT NULL,             -- of the first failure
    example         TEXT    NOT NULL,             -- message of the first failure
    first_seen_at   INTEGER NOT NULL,
    stance          INTEGER NOT NULL DEFAULT 0,   -- 0 open, 1 resolved, 2 ignored
    resolved_at     INTEGER,
    fixed_in        TEXT,                         -- version of the service
    ignored_until   INTEGER,
    ignored_letters INTEGER,                      -- open again after so many more letters
    seen_before     INTEGER,                      -- letters when the cause was ignored
    owner           TEXT    NOT NULL DEFAULT '',
    note            TEXT    NOT NULL DEFAULT '',
    ticket          TEXT    NOT NULL DEFAULT '',
    merged_into     TEXT                          -- the cause that takes the letters of this cause
) STRICT, WITHOUT ROWID;
CREATE TABLE counters (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL,
    token    INTEGER NOT NULL
, latest_at INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE event_keys (
    seq            INTEGER PRIMARY KEY,
    event_id       TEXT    NOT NULL,
    correlation_id TEXT    NOT NULL,
    seen_at        INTEGER NOT NULL
) STRICT;
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
, waits INTEGER NOT NULL DEFAULT 0, due_set_at INTEGER, unkeyed INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE handled_keys (
    key   TEXT    NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE handled_names (
    name   TEXT    NOT NULL PRIMARY KEY,
    newest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE handled_samples (
    name           TEXT    NOT NULL,
    handled_at     INTEGER NOT NULL,
    event_id       TEXT    NOT NULL,
    correlation_id TEXT    NOT NULL,
    source         TEXT    NOT NULL,
    priority       INTEGER NOT NULL,
    ordering_key   TEXT,
    content_type   TEXT    NOT NULL,
    headers        TEXT,
    created_at     INTEGER NOT NULL,
    due_at         INTEGER NOT NULL,
    deadline       INTEGER,
    payload_size   INTEGER NOT NULL,
    node           TEXT    NOT NULL,
    version        TEXT,
    payload        BLOB    NOT NULL,
    UNIQUE (name, handled_at, event_id)
) STRICT;
CREATE TABLE journal_blocks (
    block       INTEGER PRIMARY KEY AUTOINCREMENT,
    events      INTEGER NOT NULL,                 -- how many are packed
    finished_at INTEGER NOT NULL,
    keep_until  INTEGER NOT NULL,
    packed      BLOB    NOT NULL
) STRICT;
CREATE TABLE journal_index (
    place  INTEGER PRIMARY KEY,                   -- segment * 2^32 + the lowest hash of the row
    hashes BLOB    NOT NULL                       -- four bytes of hash, one byte of page, and so on
) STRICT;
CREATE TABLE journal_keys (
    ordering_key TEXT    NOT NULL PRIMARY KEY,
    created_at   INTEGER NOT NULL,
    origin       INTEGER NOT NULL,
    keep_until   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE journal_pages (
    page   INTEGER PRIMARY KEY,                   -- segment * 2^8 + number of the page in its segment
    packed BLOB    NOT NULL
) STRICT;
CREATE TABLE journal_segments (
    segment    INTEGER PRIMARY KEY AUTOINCREMENT,
    events     INTEGER NOT NULL,
    first_at   INTEGER NOT NULL,                  -- when the first and the last of its events finished
    last_at    INTEGER NOT NULL,
    keep_until INTEGER NOT NULL
) STRICT;
CREATE TABLE leases (
    token    INTEGER PRIMARY KEY,
    node     TEXT    NOT NULL,
    until_at INTEGER NOT NULL,
    held     INTEGER NOT NULL,                    -- how many of its events are not settled yet
    seqs     TEXT    NOT NULL                     -- what was claimed, as a JSON array
, set_at INTEGER NOT NULL DEFAULT 0, had_neighbours INTEGER NOT NULL DEFAULT 0, granted_at INTEGER) STRICT;
CREATE TABLE letter_counts (
    fingerprint TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    letters     INTEGER NOT NULL,
    PRIMARY KEY (fingerprint, name, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE letter_notes (
    outbox      TEXT    NOT NULL,
    letter      INTEGER NOT NULL,
    taken_until INTEGER NOT NULL,
    PRIMARY KEY (outbox, letter)
) STRICT, WITHOUT ROWID;
CREATE TABLE letter_outboxes (
    name    TEXT    NOT NULL PRIMARY KEY,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE letter_versions (
    letter   INTEGER NOT NULL,
    version  INTEGER NOT NULL,                    -- from 1, in the order of the replacements
    at       INTEGER NOT NULL,                    -- when the payload was replaced
    action   TEXT    NOT NULL,                    -- edit, repair or revert
    command  TEXT    NOT NULL,                    -- id of the command that replaced the payload
    operator TEXT    NOT NULL,
    payload  BLOB    NOT NULL,
    PRIMARY KEY (letter, version)
) STRICT;
CREATE TABLE notes (
    version INTEGER PRIMARY KEY AUTOINCREMENT,
    topic   TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    UNIQUE (topic, name)
) STRICT;
CREATE TABLE operator_actions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       INTEGER NOT NULL,
    operator TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    detail   TEXT    NOT NULL,
    letters  INTEGER NOT NULL
, command    TEXT, origin     TEXT NOT NULL DEFAULT '', about      TEXT NOT NULL DEFAULT '', updated_at INTEGER NOT NULL DEFAULT 0, causes     TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE proposals (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,    -- a number is never given twice
    is_open INTEGER NOT NULL,                     -- 1 while the proposal waits for a decision
    version INTEGER NOT NULL,                     -- counts changes
    content TEXT    NOT NULL                      -- JSON
) STRICT;
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
CREATE TABLE "redrive_schema" (
    "installed_rank" INT NOT NULL PRIMARY KEY,
    "version" VARCHAR(50),
    "description" VARCHAR(200) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "script" VARCHAR(1000) NOT NULL,
    "checksum" INT,
    "installed_by" VARCHAR(100) NOT NULL,
    "installed_on" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    "execution_time" INT NOT NULL,
    "success" BOOLEAN NOT NULL
);
CREATE TABLE run_costs (
    run       INTEGER NOT NULL,
    stage     TEXT    NOT NULL,
    unit      TEXT    NOT NULL,   -- such as tokens
    price     TEXT    NOT NULL,   -- such as 0.15 USD/1M; empty when none was given
    reported  INTEGER NOT NULL,
    estimated INTEGER NOT NULL,           -- of calls that reported no cost
    PRIMARY KEY (run, stage, unit, price)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_passed (
    first   INTEGER PRIMARY KEY,   -- key of the first of them, as in run_samples; the others differ in the last 6 bits only
    samples TEXT    NOT NULL       -- JSON: for each [key - first, state, stage, id, line of its trail, …]
) STRICT;
CREATE TABLE run_samples (
    sample           INTEGER PRIMARY KEY,
    run              INTEGER NOT NULL,
    state            INTEGER NOT NULL,            -- 0 ready, 1 succeeded, 2 skipped, 3 dead
    stage            INTEGER NOT NULL,            -- index of the stage it is at; -1 when it could not be read
    sequence         INTEGER NOT NULL,            -- lines in the audit trail
    id               TEXT    NOT NULL,
    token            INTEGER,                     -- of the process that holds it
    claim            INTEGER NOT NULL DEFAULT 0,  -- number of its claim that took the sample, until it is committed
    failed           INTEGER NOT NULL DEFAULT 0,
    first_attempt_at INTEGER,
    last_delay       INTEGER NOT NULL DEFAULT 0,
    due_at           INTEGER NOT NULL DEFAULT 0,
    reason           TEXT,
    error_type       TEXT,
    message          TEXT,
    died_at          INTEGER,
    payload_file     TEXT,                        -- where a large payload is, beside the database
    payload          BLOB
, trail TEXT, crashed INTEGER NOT NULL DEFAULT 0, begun INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE run_sinks (
    run      INTEGER NOT NULL,
    sink     TEXT    NOT NULL,
    position TEXT    NOT NULL,
    PRIMARY KEY (run, sink)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_stages (
    number INTEGER PRIMARY KEY,
    run    INTEGER NOT NULL,
    stage  TEXT    NOT NULL,
    hash   TEXT    NOT NULL,
    UNIQUE (run, stage, hash)
) STRICT;
CREATE TABLE run_workers (
    token    INTEGER PRIMARY KEY,
    run      INTEGER NOT NULL,
    node     TEXT    NOT NULL,
    until_at INTEGER NOT NULL,
    commits  INTEGER NOT NULL DEFAULT 0,          -- number of its last commit
    claims   INTEGER NOT NULL DEFAULT 0           -- number of its last claim
) STRICT;
CREATE TABLE runs (
    number       INTEGER PRIMARY KEY,
    id           TEXT    NOT NULL UNIQUE,
    pipeline     TEXT    NOT NULL,
    stages       TEXT    NOT NULL,                -- their names in order, as a JSON array
    origin       TEXT    NOT NULL,                -- such as the command that began it
    status       TEXT    NOT NULL,
    taken        INTEGER NOT NULL DEFAULT 0,
    succeeded    INTEGER NOT NULL DEFAULT 0,
    skipped      INTEGER NOT NULL DEFAULT 0,
    dead         INTEGER NOT NULL DEFAULT 0,
    source_ended INTEGER NOT NULL DEFAULT 0,
    source_size  INTEGER,                         -- NULL when unknown
    fingerprint  INTEGER NOT NULL DEFAULT 0,
    reader       INTEGER NOT NULL DEFAULT 0,      -- token of the process that reads the source; 0 for none
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    ended_at     INTEGER
, pauses TEXT, worked INTEGER NOT NULL DEFAULT 0, worked_from INTEGER, crashes INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE settled (
    bookmark   INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    PRIMARY KEY (bookmark, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_origin ON attempts (origin);
CREATE INDEX cause_sightings_latest ON cause_sightings (last_slot, fingerprint);
CREATE INDEX causes_decided ON causes (stance)      WHERE stance > 0;
CREATE INDEX causes_first_seen ON causes (first_seen_at);
CREATE INDEX causes_merged  ON causes (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX dead_letters_correlation ON dead_letters (correlation_id) WHERE correlation_id <> '';
CREATE INDEX dead_letters_counted ON dead_letters (fingerprint, name, reason, dead_at);
CREATE INDEX dead_letters_dead_at     ON dead_letters (dead_at);
CREATE INDEX dead_letters_event       ON dead_letters (event_id, correlation_id);
CREATE INDEX dead_letters_fingerprint ON dead_letters (fingerprint);
CREATE INDEX dead_letters_key         ON dead_letters (ordering_key)   WHERE ordering_key IS NOT NULL;
CREATE INDEX dead_letters_name        ON dead_letters (name);
CREATE INDEX dead_letters_redriven ON dead_letters (origin) WHERE batch IS NOT NULL;
CREATE UNIQUE INDEX event_keys_key ON event_keys (event_id, correlation_id);
CREATE INDEX events_aside ON events (queue, name, due_at, seq) WHERE state = 3;
CREATE INDEX events_blocked ON events (due_at)              WHERE state = 2;
CREATE INDEX events_correlation ON events (seq >> 13, correlation_id) WHERE correlation_id <> '' AND correlation_id <> event_id;
CREATE INDEX events_key     ON events (ordering_key, seq)   WHERE ordering_key IS NOT NULL;
CREATE INDEX events_ready   ON events (queue, due_at, seq)  WHERE state = 0;
CREATE INDEX events_scheduled ON events (due_at, seq) WHERE first_claimed_at IS NULL AND due_at > created_at;
CREATE INDEX events_unkeyed ON events (event_id) WHERE unkeyed = 1;
CREATE INDEX events_waits ON events (waits, due_at) WHERE waits > 0 AND state = 0;
CREATE INDEX handled_keys_until ON handled_keys (until);
CREATE INDEX handled_samples_by_age ON handled_samples (handled_at);
CREATE UNIQUE INDEX operator_actions_command ON operator_actions (command);
CREATE INDEX proposals_open ON proposals (number) WHERE is_open = 1;
CREATE INDEX redrive_letters_pending   ON redrive_letters (letter)            WHERE result = 0;
CREATE INDEX redrive_letters_under_way ON redrive_letters (operation, origin) WHERE result = 1;
CREATE UNIQUE INDEX redrive_operations_id   ON redrive_operations (id);
CREATE INDEX redrive_operations_turn ON redrive_operations (next_turn) WHERE next_turn IS NOT NULL;
CREATE INDEX "redrive_schema_s_idx" ON "redrive_schema" ("success");
CREATE INDEX run_samples_dead ON run_samples (sample)              WHERE state = 3;
CREATE INDEX run_samples_free ON run_samples (run, due_at, sample) WHERE state = 0 AND token IS NULL;
CREATE INDEX run_samples_held ON run_samples (token)               WHERE token IS NOT NULL;
CREATE INDEX runs_created ON runs (created_at, number);
CREATE VIEW run_all_samples AS
SELECT sample AS first, sample, run, id, state, stage, failed, sequence, first_attempt_at, last_delay, due_at, reason,
       error_type, message, died_at, payload_file, payload, crashed
FROM run_samples
UNION ALL
SELECT first, first + (passed.value ->> 0), first >> 40, passed.value ->> 3, passed.value ->> 1, passed.value ->> 2, 0,
       json_array_length(passed.value) - 4, NULL, 0, 0, NULL,
       NULL, NULL, NULL, NULL, NULL, 0
FROM run_passed, json_each(run_passed.samples) AS passed;
CREATE VIEW run_audit AS
SELECT runs.id                                                    AS run,
       runs.pipeline                                              AS pipeline,
       run_trail.sample % 1099511627776                           AS ordinal,
       run_trail.id                                               AS sample_id,
       run_stages.stage                                           AS stage,
       run_stages.hash                                            AS stage_config_hash,
       run_trail.attempt                                          AS attempt,
       CASE run_trail.status
           WHEN 0 THEN 'success' WHEN 1 THEN 'retrying' WHEN 2 THEN 'failed' ELSE 'skipped' END AS status,
       run_trail.error_type                                       AS error_type,
       run_trail.message                                          AS error_message,
       run_trail.delay / 1000000.0                                AS delay_ms,
       run_trail.duration / 1000000.0                             AS duration_ms,
       strftime('%Y-%m-%dT%H:%M:%fZ', run_trail.at / 1000000.0, 'unixepoch') AS applied_at
FROM run_trail
JOIN run_stages ON run_stages.number = run_trail.stage
JOIN runs       ON runs.number = run_stages.run;
CREATE VIEW run_lines AS
SELECT sample AS first, sample, run_samples.id, line.key + 1 AS sequence, line.value AS line
FROM run_samples, json_each('[' || run_samples.trail || ']') AS line
UNION ALL
SELECT first, first + (passed.value ->> 0), passed.value ->> 3, line.key - 3, line.value
FROM run_passed, json_each(run_passed.samples) AS passed, json_each(passed.value) AS line
WHERE line.key > 3;
CREATE VIEW run_trail AS
SELECT first,
       sample,
       id,
       sequence,
       line ->> 2              AS stage,      -- run_stages.number
       coalesce(line ->> 3, 1) AS attempt,
       coalesce(line ->> 4, 0) AS status,     -- 0 success, 1 retrying, 2 failed, 3 skipped
       line ->> 0              AS at,
       line ->> 1              AS duration,
       coalesce(line ->> 5, 0) AS delay,
       line ->> 6              AS error_type,
       line ->> 7              AS message
FROM run_lines;
CREATE TRIGGER event_keys_forgotten AFTER DELETE ON event_keys BEGIN
    UPDATE events SET unkeyed = 1 WHERE seq = old.seq;
END;
CREATE TRIGGER event_keys_moved AFTER UPDATE OF seq ON event_keys WHEN old.seq <> new.seq BEGIN
    UPDATE events SET unkeyed = 1 WHERE seq = old.seq;
END;
CREATE TRIGGER letter_arrived AFTER INSERT ON dead_letters BEGIN
    INSERT INTO letter_counts (fingerprint, name, reason, letters)
    VALUES (NEW.fingerprint, NEW.name, NEW.reason, 1)
    ON CONFLICT (fingerprint, name, reason) DO UPDATE SET letters = letters + 1;
END;
CREATE TRIGGER letter_left AFTER DELETE ON dead_letters BEGIN
    UPDATE letter_counts SET letters = letters - 1
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason;
    DELETE FROM letter_counts
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason AND letters = 0;
END;
CREATE TRIGGER letter_moved AFTER UPDATE OF fingerprint, name, reason ON dead_letters BEGIN
    UPDATE letter_counts SET letters = letters - 1
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason;
    INSERT INTO letter_counts (fingerprint, name, reason, letters)
    VALUES (NEW.fingerprint, NEW.name, NEW.reason, 1)
    ON CONFLICT (fingerprint, name, reason) DO UPDATE SET letters = letters + 1;
    DELETE FROM letter_counts
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason AND letters = 0;
END;
CREATE TRIGGER letter_noted AFTER INSERT ON dead_letters BEGIN
    INSERT INTO letter_notes (outbox, letter, taken_until)
    SELECT name, NEW.id, 0 FROM letter_outboxes WHERE seen_at > NEW.dead_at - 2592000000000;
END;
INSERT INTO counters (id, position, token) VALUES (1, 0, 0);
INSERT INTO redrive_schema
    (installed_rank, version, description, type, script, installed_by, execution_time, success)
    VALUES (1, '35', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', '', 0, TRUE);
