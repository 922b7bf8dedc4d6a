-- Finished events, packed. Each settlement writes one block; blocks are gathered into segments, which have an index.
CREATE TABLE journal_blocks (
    block       INTEGER PRIMARY KEY AUTOINCREMENT,
    events      INTEGER NOT NULL,                 -- how many are packed
    finished_at INTEGER NOT NULL,
    keep_until  INTEGER NOT NULL,
    packed      BLOB    NOT NULL
) STRICT;

CREATE TABLE journal_segments (
    segment    INTEGER PRIMARY KEY AUTOINCREMENT,
    events     INTEGER NOT NULL,
    first_at   INTEGER NOT NULL,                  -- when the first and the last of its events finished
    last_at    INTEGER NOT NULL,
    keep_until INTEGER NOT NULL
) STRICT;

-- The events of segments, a few in each page.
CREATE TABLE journal_pages (
    page   INTEGER PRIMARY KEY,                   -- segment * 2^8 + number of the page in its segment
    packed BLOB    NOT NULL
) STRICT;

-- For each segment the sorted hashes of ids, correlation ids, ordering keys and names, some hundred in each row.
CREATE TABLE journal_index (
    place  INTEGER PRIMARY KEY,                   -- segment * 2^32 + the lowest hash of the row
    hashes BLOB    NOT NULL                       -- four bytes of hash, one byte of page, and so on
) STRICT;

-- The newest finished event of each ordering key.
CREATE TABLE journal_keys (
    ordering_key TEXT    NOT NULL PRIMARY KEY,
    created_at   INTEGER NOT NULL,
    origin       INTEGER NOT NULL,
    keep_until   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Unfinished events by id and correlation id. The leading part of the position keeps new entries close together.
CREATE INDEX events_id          ON events (seq >> 13, event_id);
CREATE INDEX events_correlation ON events (seq >> 13, correlation_id) WHERE correlation_id <> '';

CREATE INDEX dead_letters_correlation ON dead_letters (correlation_id) WHERE correlation_id <> '';
CREATE INDEX dead_letters_key         ON dead_letters (ordering_key)   WHERE ordering_key IS NOT NULL;
