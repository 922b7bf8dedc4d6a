-- How long processes worked on a run. The time between a stop, or a crash, and the resume does not count.
ALTER TABLE runs ADD COLUMN worked bigint NOT NULL DEFAULT 0;   -- microseconds, without the time since worked_from
ALTER TABLE runs ADD COLUMN worked_from bigint;                 -- since when there was always a process; NULL when there is none

-- Of older runs nobody knows the breaks.
UPDATE runs SET worked = greatest(0, ended_at - created_at) WHERE ended_at IS NOT NULL;
UPDATE runs SET worked_from = created_at WHERE ended_at IS NULL;

-- Samples that were under way when their process died, and how often: a sample that kills its process is given up on.
ALTER TABLE runs ADD COLUMN crashes integer NOT NULL DEFAULT 0;          -- processes that died since the last orderly end
ALTER TABLE run_samples ADD COLUMN crashed integer NOT NULL DEFAULT 0;   -- processes that died while it was marked as begun
ALTER TABLE run_samples ADD COLUMN begun smallint NOT NULL DEFAULT 0;    -- 1: marked as begun by the process that holds it
