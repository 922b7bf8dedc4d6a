-- An unfinished event is found by its id through its key: event_keys has the id already. A second index by id cost every event an
-- entry to write and to remove. Only events without a key of their own have an entry here: events whose key was forgotten or has
-- gone to a later publication, redriven events and adopted events.
ALTER TABLE events ADD COLUMN unkeyed INTEGER NOT NULL DEFAULT 0;
UPDATE events SET unkeyed = 1 WHERE seq NOT IN (SELECT seq FROM event_keys);

CREATE INDEX events_unkeyed ON events (event_id) WHERE unkeyed = 1;
DROP INDEX events_id;

CREATE TRIGGER event_keys_forgotten AFTER DELETE ON event_keys BEGIN
    UPDATE events SET unkeyed = 1 WHERE seq = old.seq;
END;

CREATE TRIGGER event_keys_moved AFTER UPDATE OF seq ON event_keys WHEN old.seq <> new.seq BEGIN
    UPDATE events SET unkeyed = 1 WHERE seq = old.seq;
END;

-- An event whose correlation id is its own id is found by its id.
DROP INDEX events_correlation;
CREATE INDEX events_correlation ON events (seq >> 13, correlation_id) WHERE correlation_id <> '' AND correlation_id <> event_id;
