-- A sample of handled events by name, to be compared with dead letters: the newest of each name, of few names.
-- payload has at most the first 4,096 bytes; payload_size is the size of the whole payload. Times are in microseconds.
CREATE TABLE handled_names (
    name   TEXT    NOT NULL PRIMARY KEY,
    newest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE handled_samples (
    name           TEXT    NOT NULL,
    handled_at     INTEGER NOT NULL,
    event_id       TEXT    NOT NULL,
    correlation_id TEXT    NOT NULL,
    source         TEXT    NOT NULL,
    priority       INTEGER NOT NULL,
    ordering_key   TEXT,
    content_type   TEXT    NOT NULL,
    headers        TEXT,
    created_at     INTEGER NOT NULL,
    due_at         INTEGER NOT NULL,
    deadline       INTEGER,
    payload_size   INTEGER NOT NULL,
    node           TEXT    NOT NULL,
    version        TEXT,
    payload        BLOB    NOT NULL,
    UNIQUE (name, handled_at, event_id)
) STRICT;

-- For the retention.
CREATE INDEX handled_samples_by_age ON handled_samples (handled_at);
