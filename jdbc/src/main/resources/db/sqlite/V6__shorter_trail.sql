-- Most lines of the audit trail are attempts that succeeded at once: of those, only when, how long and where is kept. A
-- line's number is its place.

UPDATE run_samples SET trail = (
    SELECT group_concat(line, ',')
    FROM (
        SELECT json_array(at, duration, stage, attempt, status, delay, error_type, message) AS line
        FROM run_attempts
        WHERE run_attempts.sample = run_samples.sample
        ORDER BY sequence))
WHERE trail IS NOT NULL;

DROP VIEW run_audit;
DROP VIEW run_attempts;

CREATE VIEW run_attempts AS
SELECT run_samples.sample                 AS sample,
       line.key + 1                       AS sequence,
       line.value ->> 2                   AS stage,      -- run_stages.number
       coalesce(line.value ->> 3, 1)      AS attempt,
       coalesce(line.value ->> 4, 0)      AS status,     -- 0 success, 1 retrying, 2 failed, 3 skipped
       line.value ->> 0                   AS at,
       line.value ->> 1                   AS duration,
       coalesce(line.value ->> 5, 0)      AS delay,
       line.value ->> 6                   AS error_type,
       line.value ->> 7                   AS message
FROM run_samples, json_each('[' || run_samples.trail || ']') AS line;

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
