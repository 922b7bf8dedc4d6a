-- One row for each log outside the store, for example a partition of a Kafka topic: who may adopt its events.
CREATE TABLE bookmarks (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    epoch      INTEGER NOT NULL,                      -- number of takeovers; an adoption with another epoch is refused
    owner      TEXT    NOT NULL,
    released   INTEGER NOT NULL,
    taken_from INTEGER NOT NULL,                      -- first unfinished place of the log at the last takeover
    crashes    INTEGER NOT NULL                       -- owners in a row that left no release while the log stood there
) STRICT;

-- Places of logs whose event was adopted, kept until the log has finished them for good.
CREATE TABLE settled (
    bookmark   INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    PRIMARY KEY (bookmark, place)
) STRICT, WITHOUT ROWID;
