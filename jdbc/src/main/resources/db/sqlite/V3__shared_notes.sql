-- Small facts that all processes on this file share, changed by compare-and-set.
-- AUTOINCREMENT: a version is never used twice, also not after its note was erased.
CREATE TABLE notes (
    version INTEGER PRIMARY KEY AUTOINCREMENT,
    topic   TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    UNIQUE (topic, name)
) STRICT;
