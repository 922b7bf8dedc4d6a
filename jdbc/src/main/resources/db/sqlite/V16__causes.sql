-- What operators said about causes of dead letters. A cause outlives its letters.
CREATE TABLE causes (
    fingerprint     TEXT    PRIMARY KEY,
    error_type      TEXT    NOT NULL,             -- of the first failure
    example         TEXT    NOT NULL,             -- message of the first failure
    first_seen_at   INTEGER NOT NULL,
    stance          INTEGER NOT NULL DEFAULT 0,   -- 0 open, 1 resolved, 2 ignored
    resolved_at     INTEGER,
    fixed_in        TEXT,                         -- version of the service
    ignored_until   INTEGER,
    ignored_letters INTEGER,                      -- open again after so many more letters
    seen_before     INTEGER,                      -- letters when the cause was ignored
    owner           TEXT    NOT NULL DEFAULT '',
    note            TEXT    NOT NULL DEFAULT '',
    ticket          TEXT    NOT NULL DEFAULT '',
    merged_into     TEXT                          -- the cause that takes the letters of this cause
) STRICT, WITHOUT ROWID;

CREATE INDEX causes_decided ON causes (stance)      WHERE stance > 0;
CREATE INDEX causes_merged  ON causes (merged_into) WHERE merged_into IS NOT NULL;

-- Letters by cause, day, event name and version of the service; counted when a letter is written.
CREATE TABLE cause_sightings (
    fingerprint TEXT    NOT NULL,
    day         INTEGER NOT NULL,                 -- since 1970, UTC
    name        TEXT    NOT NULL,
    version     TEXT    NOT NULL,                 -- '' when unknown
    letters     INTEGER NOT NULL,
    first_at    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    PRIMARY KEY (fingerprint, day, name, version)
) STRICT, WITHOUT ROWID;

-- Letters of earlier versions, whose service versions are unknown.
INSERT INTO causes (fingerprint, error_type, example, first_seen_at)
SELECT fingerprint, error_type, last_error, min(dead_at) FROM dead_letters GROUP BY fingerprint;

INSERT INTO cause_sightings (fingerprint, day, name, version, letters, first_at, last_at)
SELECT fingerprint, dead_at / 86400000000, name, '', count(*), min(dead_at), max(dead_at)
FROM dead_letters GROUP BY fingerprint, dead_at / 86400000000, name;
