-- Most samples reach their end before they had to be written at all. Those are one row now, with the whole audit trail in
-- it: a row for each line took as long as all else together. The lines of all others stay rows.

ALTER TABLE run_samples ADD COLUMN trail text;   -- JSON arrays with commas between, as the view reads them; NULL: see run_attempts

DROP VIEW run_audit;

-- Every line. Of an attempt that succeeded at once an array has only when, how long and where.
CREATE VIEW run_trail AS
SELECT sample, at, duration, delay, stage, sequence, attempt, status, error_type, message
FROM run_attempts
UNION ALL
SELECT sample,
       (line ->> 0)::bigint,
       (line ->> 1)::bigint,
       coalesce((line ->> 5)::bigint, 0),
       (line ->> 2)::bigint,                            -- run_stages.number
       place::integer,
       coalesce((line ->> 3)::integer, 1),
       coalesce((line ->> 4)::smallint, 0::smallint),   -- 0 success, 1 retrying, 2 failed, 3 skipped
       (line ->> 6) COLLATE "C",
       line ->> 7
FROM run_samples, jsonb_array_elements(('[' || trail || ']')::jsonb) WITH ORDINALITY AS lines (line, place)
WHERE trail IS NOT NULL;

CREATE VIEW run_audit AS
SELECT runs.id                                         AS run,
       runs.pipeline                                   AS pipeline,
       run_trail.sample % 1099511627776                AS ordinal,
       run_samples.id                                  AS sample_id,
       run_stages.stage                                AS stage,
       run_stages.hash                                 AS stage_config_hash,
       run_trail.attempt                               AS attempt,
       CASE run_trail.status
           WHEN 0 THEN 'success' WHEN 1 THEN 'retrying' WHEN 2 THEN 'failed' ELSE 'skipped' END AS status,
       run_trail.error_type                            AS error_type,
       run_trail.message                               AS error_message,
       run_trail.delay / 1000000.0                     AS delay_ms,
       run_trail.duration / 1000000.0                  AS duration_ms,
       to_timestamp(run_trail.at / 1000000.0)       AS applied_at
FROM run_trail
JOIN run_stages  ON run_stages.number = run_trail.stage
JOIN run_samples ON run_samples.sample = run_trail.sample
JOIN runs        ON runs.number = run_stages.run;
