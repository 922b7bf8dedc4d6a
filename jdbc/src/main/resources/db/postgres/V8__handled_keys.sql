-- Idempotency keys of work that is done, until the moment (microseconds) at which they cease to hold.
CREATE TABLE handled_keys (
    key   text   NOT NULL COLLATE "C" PRIMARY KEY,
    until bigint NOT NULL
);

CREATE INDEX handled_keys_until ON handled_keys (until);
