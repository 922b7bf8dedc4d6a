-- Finished events, packed. Each settlement writes one block; blocks are gathered into segments, which have an index.
CREATE TABLE journal_blocks (
    block       bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    finished_at bigint  NOT NULL,
    keep_until  bigint  NOT NULL,
    events      integer NOT NULL,                     -- how many are packed
    packed      bytea   NOT NULL
);

CREATE TABLE journal_segments (
    segment    bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    first_at   bigint  NOT NULL,                      -- when the first and the last of its events finished
    last_at    bigint  NOT NULL,
    keep_until bigint  NOT NULL,
    events     integer NOT NULL
);

-- The events of segments, a few in each page.
CREATE TABLE journal_pages (
    page   bigint PRIMARY KEY,                        -- segment * 2^8 + number of the page in its segment
    packed bytea  NOT NULL
);

-- For each segment the sorted hashes of ids, correlation ids, ordering keys and names, some hundred in each row.
CREATE TABLE journal_index (
    place  bigint PRIMARY KEY,                        -- segment * 2^32 + the lowest hash of the row
    hashes bytea  NOT NULL                            -- four bytes of hash, one byte of page, and so on
);

-- Blocks live for seconds, and hashes do not compress.
ALTER TABLE journal_blocks ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE journal_index  ALTER COLUMN hashes SET STORAGE MAIN;
ALTER TABLE journal_blocks SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
                                autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- The newest finished event of each ordering key.
CREATE TABLE journal_keys (
    ordering_key text   COLLATE "C" PRIMARY KEY,
    created_at   bigint NOT NULL,
    origin       bigint NOT NULL,
    keep_until   bigint NOT NULL
) WITH (fillfactor = 80);

-- Unfinished events by id and correlation id. The leading part of the position keeps new entries close together.
CREATE INDEX events_id          ON events ((seq >> 13), event_id);
CREATE INDEX events_correlation ON events ((seq >> 13), correlation_id) WHERE correlation_id <> '';

CREATE INDEX dead_letters_correlation ON dead_letters (correlation_id) WHERE correlation_id <> '';
CREATE INDEX dead_letters_key         ON dead_letters (ordering_key)   WHERE ordering_key IS NOT NULL;
