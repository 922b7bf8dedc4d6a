-- Payloads that a letter had before an edit or a repair. A redrive or a purge of the letter removes them.
CREATE TABLE letter_versions (
    letter   bigint NOT NULL,
    version  int    NOT NULL,                     -- from 1, in the order of the replacements
    at       bigint NOT NULL,                     -- when the payload was replaced
    action   text   NOT NULL COLLATE "C",         -- edit, repair or revert
    command  text   NOT NULL COLLATE "C",         -- id of the command that replaced the payload
    operator text   NOT NULL,
    payload  bytea  NOT NULL,
    PRIMARY KEY (letter, version)
);
