-- Commands that an assistant or an operator asks for, and that wait for the approval of a person.
CREATE TABLE proposals (
    number  bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    is_open integer NOT NULL,                     -- 1 while the proposal waits for a decision
    version bigint  NOT NULL,                     -- counts changes
    content text    NOT NULL                      -- JSON
);

CREATE INDEX proposals_open ON proposals (number) WHERE is_open = 1;
