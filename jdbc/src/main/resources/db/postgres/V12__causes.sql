-- What operators said about causes of dead letters. A cause outlives its letters.
CREATE TABLE causes (
    fingerprint     text   NOT NULL COLLATE "C" PRIMARY KEY,
    error_type      text   NOT NULL,              -- of the first failure
    example         text   NOT NULL,              -- message of the first failure
    first_seen_at   bigint NOT NULL,
    stance          int    NOT NULL DEFAULT 0,    -- 0 open, 1 resolved, 2 ignored
    resolved_at     bigint,
    fixed_in        text,                         -- version of the service
    ignored_until   bigint,
    ignored_letters bigint,                       -- open again after so many more letters
    seen_before     bigint,                       -- letters when the cause was ignored
    owner           text   NOT NULL DEFAULT '',
    note            text   NOT NULL DEFAULT '',
    ticket          text   NOT NULL DEFAULT '',
    merged_into     text   COLLATE "C"            -- the cause that takes the letters of this cause
);

CREATE INDEX causes_decided ON causes (stance)      WHERE stance > 0;
CREATE INDEX causes_merged  ON causes (merged_into) WHERE merged_into IS NOT NULL;

-- Letters by cause, day, event name and version of the service; counted when a letter is written.
-- Room in the pages, because the newest rows are updated often.
CREATE TABLE cause_sightings (
    fingerprint text   NOT NULL COLLATE "C",
    day         bigint NOT NULL,                  -- since 1970, UTC
    name        text   NOT NULL COLLATE "C",
    version     text   NOT NULL COLLATE "C",      -- '' when unknown
    letters     bigint NOT NULL,
    first_at    bigint NOT NULL,
    last_at     bigint NOT NULL,
    PRIMARY KEY (fingerprint, day, name, version)
) WITH (fillfactor = 50);

-- Letters of earlier versions, whose service versions are unknown.
INSERT INTO causes (fingerprint, error_type, example, first_seen_at)
SELECT DISTINCT ON (fingerprint) fingerprint, error_type, last_error, dead_at
FROM dead_letters ORDER BY fingerprint, dead_at;

INSERT INTO cause_sightings (fingerprint, day, name, version, letters, first_at, last_at)
SELECT fingerprint, dead_at / 86400000000, name, '', count(*), min(dead_at), max(dead_at)
FROM dead_letters GROUP BY fingerprint, dead_at / 86400000000, name;
