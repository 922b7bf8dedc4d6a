-- The latest time a recovery was told, about to the half minute: shows that the clock was set back.
ALTER TABLE counters ADD COLUMN latest_at INTEGER NOT NULL DEFAULT 0;

-- When due_at was set, once a settlement, a recovery or a redrive has set it. NULL for events as published.
ALTER TABLE events ADD COLUMN due_set_at INTEGER;

-- When until_at was set.
ALTER TABLE leases ADD COLUMN set_at INTEGER NOT NULL DEFAULT 0;
