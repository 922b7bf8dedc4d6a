-- How long processes worked on a run. The time between a stop, or a crash, and the resume does not count.
ALTER TABLE runs ADD COLUMN worked INTEGER NOT NULL DEFAULT 0;   -- microseconds, without the time since worked_from
ALTER TABLE runs ADD COLUMN worked_from INTEGER;                 -- since when there was always a process; NULL when there is none

-- Of older runs nobody knows the breaks.
UPDATE runs SET worked = max(0, ended_at - created_at) WHERE ended_at IS NOT NULL;
UPDATE runs SET worked_from = created_at WHERE ended_at IS NULL;

-- Samples that were under way when their process died, and how often: a sample that kills its process is given up on.
ALTER TABLE runs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;          -- processes that died since the last orderly end
ALTER TABLE run_samples ADD COLUMN crashed INTEGER NOT NULL DEFAULT 0;   -- processes that died while it was marked as begun
ALTER TABLE run_samples ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;     -- 1: marked as begun by the process that holds it

DROP VIEW run_all_samples;

CREATE VIEW run_all_samples AS
SELECT sample AS first, sample, run, id, state, stage, failed, sequence, first_attempt_at, last_delay, due_at, reason,
       error_type, message, died_at, payload_file, payload, crashed
FROM run_samples
UNION ALL
SELECT first, first + (passed.value ->> 0), first >> 40, passed.value ->> 3, passed.value ->> 1, passed.value ->> 2, 0,
       json_array_length(passed.value) - 4, NULL, 0, 0, NULL,
       NULL, NULL, NULL, NULL, NULL, 0
FROM run_passed, json_each(run_passed.samples) AS passed;
