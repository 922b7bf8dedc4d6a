-- Commands that an assistant or an operator asks for, and that wait for the approval of a person.
CREATE TABLE proposals (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,    -- a number is never given twice
    is_open INTEGER NOT NULL,                     -- 1 while the proposal waits for a decision
    version INTEGER NOT NULL,                     -- counts changes
    content TEXT    NOT NULL                      -- JSON
) STRICT;

CREATE INDEX proposals_open ON proposals (number) WHERE is_open = 1;
