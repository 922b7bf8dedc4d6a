-- Senders that pass new letters on, for example to a topic, and until when each of them gets notes: 30 days after it was seen.
CREATE TABLE letter_outboxes (
    name    TEXT    NOT NULL PRIMARY KEY,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Letters that a sender has not sent yet.
CREATE TABLE letter_notes (
    outbox      TEXT    NOT NULL,
    letter      INTEGER NOT NULL,
    taken_until INTEGER NOT NULL,
    PRIMARY KEY (outbox, letter)
) STRICT, WITHOUT ROWID;

-- A letter and its notes are one transaction, whichever statement writes the letter.
CREATE TRIGGER letter_noted AFTER INSERT ON dead_letters BEGIN
    INSERT INTO letter_notes (outbox, letter, taken_until)
    SELECT name, NEW.id, 0 FROM letter_outboxes WHERE seen_at > NEW.dead_at - 2592000000000;
END;
