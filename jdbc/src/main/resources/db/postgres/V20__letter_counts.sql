-- The number of letters by cause, name and reason: the sum of a row of letter_counts and of all its changes. Nodes that
-- bury letters of one cause at the same time insert rows and wait for nobody; housekeeping folds the rows into one.
CREATE TABLE letter_counts (
    fingerprint text   NOT NULL COLLATE "C",
    name        text   NOT NULL COLLATE "C",
    reason      text   NOT NULL COLLATE "C",
    letters     bigint NOT NULL,
    PRIMARY KEY (fingerprint, name, reason)
) WITH (fillfactor = 80);

CREATE TABLE letter_count_changes (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint text   NOT NULL COLLATE "C",
    name        text   NOT NULL COLLATE "C",
    reason      text   NOT NULL COLLATE "C",
    letters     bigint NOT NULL                       -- negative for letters that left
);

ALTER TABLE letter_count_changes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
                                      autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- Triggers keep the counts: a change of letters and the change of its count are one transaction, whichever statement
-- changes the letters. The schema is that of the letters, whatever the search path of the connection is.
CREATE FUNCTION count_letters() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        changed := 'SELECT fingerprint, name, reason, 1 AS letters FROM arrived';
    ELSIF TG_OP = 'DELETE' THEN
        changed := 'SELECT fingerprint, name, reason, -1 AS letters FROM departed';
    ELSE
        changed := 'SELECT fingerprint, name, reason, 1 AS letters FROM arrived'
            ' UNION ALL SELECT fingerprint, name, reason, -1 FROM departed';
    END IF;
    EXECUTE format(
        'INSERT INTO %I.letter_count_changes (fingerprint, name, reason, letters)'
        ' SELECT fingerprint, name, reason, sum(letters) FROM (%s) AS changed'
        ' GROUP BY fingerprint, name, reason HAVING sum(letters) <> 0',
        TG_TABLE_SCHEMA, changed);
    RETURN NULL;
END
$$;

CREATE TRIGGER letters_arrived AFTER INSERT ON dead_letters
    REFERENCING NEW TABLE AS arrived
    FOR EACH STATEMENT EXECUTE FUNCTION count_letters();

CREATE TRIGGER letters_left AFTER DELETE ON dead_letters
    REFERENCING OLD TABLE AS departed
    FOR EACH STATEMENT EXECUTE FUNCTION count_letters();

CREATE TRIGGER letters_moved AFTER UPDATE ON dead_letters
    REFERENCING OLD TABLE AS departed NEW TABLE AS arrived
    FOR EACH STATEMENT EXECUTE FUNCTION count_letters();

INSERT INTO letter_counts (fingerprint, name, reason, letters)
SELECT fingerprint, name, reason, count(*) FROM dead_letters GROUP BY fingerprint, name, reason;

-- The first and the last letter of each count; replaces the index by cause alone.
CREATE INDEX dead_letters_counted ON dead_letters (fingerprint, name, reason, dead_at, id);
DROP INDEX dead_letters_fingerprint;
