-- Senders that pass new letters on, for example to a topic, and until when each of them gets notes: 30 days after it was seen.
CREATE TABLE letter_outboxes (
    seen_at bigint NOT NULL,
    name    text   NOT NULL COLLATE "C" PRIMARY KEY
);

-- Letters that a sender has not sent yet.
CREATE TABLE letter_notes (
    letter      bigint NOT NULL,
    taken_until bigint NOT NULL,
    outbox      text   NOT NULL COLLATE "C",
    PRIMARY KEY (outbox, letter)
);

ALTER TABLE letter_notes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
                              autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- A letter and its notes are one transaction, whichever statement writes the letter. The schema is that of the letters, whatever
-- the search path of the connection is.
CREATE FUNCTION note_letters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'INSERT INTO %I.letter_notes (outbox, letter, taken_until)'
        ' SELECT senders.name, arrived.id, 0 FROM %I.letter_outboxes AS senders, arrived'
        ' WHERE senders.seen_at > arrived.dead_at - 2592000000000',
        TG_TABLE_SCHEMA, TG_TABLE_SCHEMA);
    RETURN NULL;
END
$$;

CREATE TRIGGER letters_noted AFTER INSERT ON dead_letters
    REFERENCING NEW TABLE AS arrived
    FOR EACH STATEMENT EXECUTE FUNCTION note_letters();
