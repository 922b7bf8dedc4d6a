-- Idempotency keys of work that is done, until the moment (microseconds) at which they cease to hold.
CREATE TABLE handled_keys (
    key   TEXT    NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX handled_keys_until ON handled_keys (until);
