-- What happened to the events of each name: by minute (period 0) and hour (period 1), and by the process that counted.
-- start_at is in microseconds; handler_time and latency are encoded histograms, NULL when they have no durations.
CREATE TABLE activity (
    period         INTEGER NOT NULL,
    start_at       INTEGER NOT NULL,
    name           TEXT    NOT NULL,
    node           TEXT    NOT NULL,
    published      INTEGER NOT NULL,
    duplicates     INTEGER NOT NULL,
    done           INTEGER NOT NULL,
    retried        INTEGER NOT NULL,
    dead           INTEGER NOT NULL,
    batches        INTEGER NOT NULL,
    batch_timeouts INTEGER NOT NULL,
    handler_time   BLOB,
    latency        BLOB,
    PRIMARY KEY (period, start_at, name, node)
) STRICT, WITHOUT ROWID;
