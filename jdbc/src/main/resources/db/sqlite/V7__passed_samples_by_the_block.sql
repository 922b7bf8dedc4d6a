-- Most samples reach their end before they had to be written at all. Those have no row of their own any more: up to 64 of
-- them are written as one, which takes a third of the time. All others stay in run_samples.

CREATE TABLE run_passed (
    first   INTEGER PRIMARY KEY,   -- key of the first of them, as in run_samples; the others differ in the last 6 bits only
    samples TEXT    NOT NULL       -- JSON: for each [key - first, state, stage, id, line of its trail, …]
) STRICT;

DROP VIEW run_audit;
DROP VIEW run_attempts;

-- Every sample. Who asks for some says so twice: by their keys, and by the key under which each is found, "first".
CREATE VIEW run_all_samples AS
SELECT sample AS first, sample, run, id, state, stage, failed, sequence, first_attempt_at, last_delay, due_at, reason,
       error_type, message, died_at, payload_file, payload
FROM run_samples
UNION ALL
SELECT first, first + (passed.value ->> 0), first >> 40, passed.value ->> 3, passed.value ->> 1, passed.value ->> 2, 0,
       json_array_length(passed.value) - 4, NULL, 0, 0, NULL,
       NULL, NULL, NULL, NULL, NULL
FROM run_passed, json_each(run_passed.samples) AS passed;

-- The audit trail as it is written. Of an attempt that succeeded at once a line has only when, how long and where.
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

-- The audit trail for people.
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
