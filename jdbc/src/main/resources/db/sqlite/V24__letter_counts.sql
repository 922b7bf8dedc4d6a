-- The number of letters by cause, name and reason. Triggers keep the counts: a change of letters and the change of its
-- count are one transaction, whichever statement changes the letters.
CREATE TABLE letter_counts (
    fingerprint TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    letters     INTEGER NOT NULL,
    PRIMARY KEY (fingerprint, name, reason)
) STRICT, WITHOUT ROWID;

INSERT INTO letter_counts (fingerprint, name, reason, letters)
SELECT fingerprint, name, reason, count(*) FROM dead_letters GROUP BY fingerprint, name, reason;

CREATE TRIGGER letter_arrived AFTER INSERT ON dead_letters BEGIN
    INSERT INTO letter_counts (fingerprint, name, reason, letters)
    VALUES (NEW.fingerprint, NEW.name, NEW.reason, 1)
    ON CONFLICT (fingerprint, name, reason) DO UPDATE SET letters = letters + 1;
END;

CREATE TRIGGER letter_left AFTER DELETE ON dead_letters BEGIN
    UPDATE letter_counts SET letters = letters - 1
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason;
    DELETE FROM letter_counts
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason AND letters = 0;
END;

CREATE TRIGGER letter_moved AFTER UPDATE OF fingerprint, name, reason ON dead_letters BEGIN
    UPDATE letter_counts SET letters = letters - 1
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason;
    INSERT INTO letter_counts (fingerprint, name, reason, letters)
    VALUES (NEW.fingerprint, NEW.name, NEW.reason, 1)
    ON CONFLICT (fingerprint, name, reason) DO UPDATE SET letters = letters + 1;
    DELETE FROM letter_counts
    WHERE fingerprint = OLD.fingerprint AND name = OLD.name AND reason = OLD.reason AND letters = 0;
END;

-- The first and the last letter of each count.
CREATE INDEX dead_letters_counted ON dead_letters (fingerprint, name, reason, dead_at);
