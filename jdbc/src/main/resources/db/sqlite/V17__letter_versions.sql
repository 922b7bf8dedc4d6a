-- Payloads that a letter had before an edit or a repair. A redrive or a purge of the letter removes them.
CREATE TABLE letter_versions (
    letter   INTEGER NOT NULL,
    version  INTEGER NOT NULL,                    -- from 1, in the order of the replacements
    at       INTEGER NOT NULL,                    -- when the payload was replaced
    action   TEXT    NOT NULL,                    -- edit, repair or revert
    command  TEXT    NOT NULL,                    -- id of the command that replaced the payload
    operator TEXT    NOT NULL,
    payload  BLOB    NOT NULL,
    PRIMARY KEY (letter, version)
) STRICT;
