-- Item runs. Times are microseconds since 1970, UTC; delays and durations are nanoseconds. Leases and due times are in the
-- time of this server, all others as the processes told them.

CREATE TABLE runs (
    number       bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id           text     NOT NULL COLLATE "C" UNIQUE,
    pipeline     text     NOT NULL COLLATE "C",
    stages       text     NOT NULL,                   -- their names in order, as a JSON array
    origin       text     NOT NULL,                   -- such as the command that began it
    status       text     NOT NULL COLLATE "C",
    taken        bigint   NOT NULL DEFAULT 0,
    succeeded    bigint   NOT NULL DEFAULT 0,
    skipped      bigint   NOT NULL DEFAULT 0,
    dead         bigint   NOT NULL DEFAULT 0,
    source_ended smallint NOT NULL DEFAULT 0,
    source_size  bigint,                              -- NULL when unknown
    fingerprint  bigint   NOT NULL DEFAULT 0,
    reader       bigint   NOT NULL DEFAULT 0,         -- token of the process that reads the source; 0 for none
    created_at   bigint   NOT NULL,
    updated_at   bigint   NOT NULL,
    ended_at     bigint
);

-- One row for each run, changed with every commit: room on its page lets it be changed in place.
ALTER TABLE runs SET (fillfactor = 10);
CREATE INDEX runs_created ON runs (created_at, number);

-- The processes that work on runs. A commit in the name of a token that is not here changes nothing.
CREATE TABLE run_workers (
    token    bigint PRIMARY KEY,
    run      bigint NOT NULL,
    until_at bigint NOT NULL,
    commits  bigint NOT NULL DEFAULT 0,               -- number of its last commit
    claims   bigint NOT NULL DEFAULT 0,               -- number of its last claim
    node     text   NOT NULL COLLATE "C"
);

ALTER TABLE run_workers SET (fillfactor = 10);

CREATE TABLE run_sinks (
    run      bigint NOT NULL,
    sink     text   NOT NULL COLLATE "C",
    position text   NOT NULL,
    PRIMARY KEY (run, sink)
);

-- Stages as they were: a line of the audit trail names one by its number.
CREATE TABLE run_stages (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run    bigint NOT NULL,
    stage  text   NOT NULL COLLATE "C",
    hash   text   NOT NULL COLLATE "C",
    UNIQUE (run, stage, hash)
);

-- Every sample taken from a source. The key is the run's number times 2^40 plus the sample's ordinal: it ascends as
-- samples are taken, which is what makes writing them fast.
CREATE TABLE run_samples (
    sample           bigint   PRIMARY KEY,
    run              bigint   NOT NULL,
    token            bigint,                          -- of the process that holds it
    claim            bigint   NOT NULL DEFAULT 0,     -- number of its claim that took the sample, until it is committed
    first_attempt_at bigint,
    last_delay       bigint   NOT NULL DEFAULT 0,
    due_at           bigint   NOT NULL DEFAULT 0,
    died_at          bigint,
    sequence         integer  NOT NULL,               -- lines in the audit trail
    failed           integer  NOT NULL DEFAULT 0,
    state            smallint NOT NULL,               -- 0 ready, 1 succeeded, 2 skipped, 3 dead
    stage            smallint NOT NULL,               -- index of the stage it is at; -1 when it could not be read
    id               text     NOT NULL COLLATE "C",
    reason           text     COLLATE "C",
    error_type       text     COLLATE "C",
    message          text,
    payload_file     text,                            -- not used here: the server keeps large values apart by itself
    payload          bytea
);

ALTER TABLE run_samples ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Only of samples that have no end yet, or are dead: those that run straight through touch no index but the key.
CREATE INDEX run_samples_free ON run_samples (run, due_at, sample) WHERE state = 0 AND token IS NULL;
CREATE INDEX run_samples_held ON run_samples (token)               WHERE token IS NOT NULL;
CREATE INDEX run_samples_dead ON run_samples (sample)              WHERE state = 3;

-- The audit trail. Narrow rows; the view below is for people.
CREATE TABLE run_attempts (
    sample     bigint   NOT NULL,
    at         bigint   NOT NULL,
    duration   bigint   NOT NULL,
    delay      bigint   NOT NULL,
    stage      bigint   NOT NULL,                     -- run_stages.number
    sequence   integer  NOT NULL,
    attempt    integer  NOT NULL,
    status     smallint NOT NULL,                     -- 0 success, 1 retrying, 2 failed, 3 skipped
    error_type text     COLLATE "C",
    message    text
);

-- Lines come nearly in the order of their samples, so a summary of each stretch of the table finds them again. An entry for
-- each line would cost as much as the line, and is only ever missed by a person who looks at one sample.
CREATE INDEX run_attempts_sample ON run_attempts USING brin (sample) WITH (pages_per_range = 32, autosummarize = on);

CREATE VIEW run_audit AS
SELECT runs.id                                         AS run,
       runs.pipeline                                   AS pipeline,
       run_attempts.sample % 1099511627776             AS ordinal,
       run_samples.id                                  AS sample_id,
       run_stages.stage                                AS stage,
       run_stages.hash                                 AS stage_config_hash,
       run_attempts.attempt                            AS attempt,
       CASE run_attempts.status
           WHEN 0 THEN 'success' WHEN 1 THEN 'retrying' WHEN 2 THEN 'failed' ELSE 'skipped' END AS status,
       run_attempts.error_type                         AS error_type,
       run_attempts.message                            AS error_message,
       run_attempts.delay / 1000000.0                  AS delay_ms,
       run_attempts.duration / 1000000.0               AS duration_ms,
       to_timestamp(run_attempts.at / 1000000.0)       AS applied_at
FROM run_attempts
JOIN run_stages  ON run_stages.number = run_attempts.stage
JOIN run_samples ON run_samples.sample = run_attempts.sample
JOIN runs        ON runs.number = run_stages.run;
