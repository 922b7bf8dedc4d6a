-- Ready events of names that the claimers so far have no handler for; each came here from the table ready. A claimer with
-- handlers for some names reads the left end of each of those names and steps over no other.
CREATE TABLE aside (
    due_at bigint   NOT NULL,
    seq    bigint   NOT NULL,
    size   integer  NOT NULL,                         -- of the payload, in bytes
    queue  smallint NOT NULL,                         -- 0 to 3: its priority; 4: suspect
    name   text     NOT NULL COLLATE "C",
    PRIMARY KEY (queue, name, due_at, seq)
);

ALTER TABLE aside SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
                       autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- Why an event that is not due waits, where that is not its schedule or its backoff: the ordinal of the cause of its snooze.
-- It fills what alignment leaves empty at the end of a row.
ALTER TABLE ready ADD COLUMN waits smallint NOT NULL DEFAULT 0;

-- Events that were published with a later due time, to list and to cancel them. Others have no entry and cost nothing here.
CREATE INDEX events_scheduled    ON events (due_at, seq) WHERE due_at > created_at;
CREATE INDEX events_scheduled_id ON events (event_id)    WHERE due_at > created_at;
