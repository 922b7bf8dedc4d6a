-- When a settlement set due_at: at the failure of a retry, or when the event was last put off. NULL for events as published.
ALTER TABLE ready ADD COLUMN put_off_at bigint;
