-- Item runs. Times are microseconds since 1970, UTC; delays and durations are nanoseconds.

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
) STRICT;

CREATE INDEX runs_created ON runs (created_at, number);

-- The processes that work on runs. A commit in the name of a token that is not here changes nothing.
CREATE TABLE run_workers (
    token    INTEGER PRIMARY KEY,
    run      INTEGER NOT NULL,
    node     TEXT    NOT NULL,
    until_at INTEGER NOT NULL,
    commits  INTEGER NOT NULL DEFAULT 0,          -- number of its last commit
    claims   INTEGER NOT NULL DEFAULT 0           -- number of its last claim
) STRICT;

CREATE TABLE run_sinks (
    run      INTEGER NOT NULL,
    sink     TEXT    NOT NULL,
    position TEXT    NOT NULL,
    PRIMARY KEY (run, sink)
) STRICT, WITHOUT ROWID;

-- Stages as they were: a line of the audit trail names one by its number.
CREATE TABLE run_stages (
    number INTEGER PRIMARY KEY,
    run    INTEGER NOT NULL,
    stage  TEXT    NOT NULL,
    hash   TEXT    NOT NULL,
    UNIQUE (run, stage, hash)
) STRICT;

-- Every sample taken from a source. The key is the run's number times 2^40 plus the sample's ordinal: it ascends as
-- samples are taken, which is what makes writing them fast.
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
) STRICT;

-- Only of samples that have no end yet, or are dead: those that run straight through never touch an index.
CREATE INDEX run_samples_free ON run_samples (run, due_at, sample) WHERE state = 0 AND token IS NULL;
CREATE INDEX run_samples_held ON run_samples (token)               WHERE token IS NOT NULL;
CREATE INDEX run_samples_dead ON run_samples (sample)              WHERE state = 3;

-- The audit trail. Narrow rows in the order of their samples; the view below is for people.
CREATE TABLE run_attempts (
    sample     INTEGER NOT NULL,
    sequence   INTEGER NOT NULL,
    stage      INTEGER NOT NULL,                  -- run_stages.number
    attempt    INTEGER NOT NULL,
    status     INTEGER NOT NULL,                  -- 0 success, 1 retrying, 2 failed, 3 skipped
    at         INTEGER NOT NULL,
    duration   INTEGER NOT NULL,
    delay      INTEGER NOT NULL,
    error_type TEXT,
    message    TEXT,
    PRIMARY KEY (sample, sequence)
) STRICT, WITHOUT ROWID;

CREATE VIEW run_audit AS
SELECT runs.id                                                    AS run,
       runs.pipeline                                              AS pipeline,
       run_attempts.sample % 1099511627776                        AS ordinal,
       run_samples.id                                             AS sample_id,
       run_stages.stage                                           AS stage,
       run_stages.hash                                            AS stage_config_hash,
       run_attempts.attempt                                       AS attempt,
       CASE run_attempts.status
           WHEN 0 THEN 'success' WHEN 1 THEN 'retrying' WHEN 2 THEN 'failed' ELSE 'skipped' END AS status,
       run_attempts.error_type                                    AS error_type,
       run_attempts.message                                       AS error_message,
       run_attempts.delay / 1000000.0                             AS delay_ms,
       run_attempts.duration / 1000000.0                          AS duration_ms,
       strftime('%Y-%m-%dT%H:%M:%fZ', run_attempts.at / 1000000.0, 'unixepoch') AS applied_at
FROM run_attempts
JOIN run_stages  ON run_stages.number = run_attempts.stage
JOIN run_samples ON run_samples.sample = run_attempts.sample
JOIN runs        ON runs.number = run_stages.run;
