-- State 3: set aside. Due, but the claimers so far have no handler for its name; as ready as state 0.
-- A claimer with handlers for some names reads the left end of each of those names and steps over no other.
CREATE INDEX events_aside ON events (queue, name, due_at, seq) WHERE state = 3;

-- Why an event that is not due waits, where that is not its schedule or its backoff: the ordinal of the cause of its snooze.
ALTER TABLE events ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
CREATE INDEX events_waits ON events (waits, due_at) WHERE waits > 0 AND state = 0;

-- Events that nobody has begun and that were published with a later due time. Others have no entry and cost nothing here.
CREATE INDEX events_scheduled ON events (due_at, seq) WHERE first_claimed_at IS NULL AND due_at > created_at;
