-- What happened to the events of each name: by minute (period 0) and hour (period 1), and by the process that counted.
-- start_at is in microseconds; handler_time and latency are encoded histograms, NULL when they have no durations.
-- Hours are written anew each minute: space in the pages keeps those updates out of the index.
CREATE TABLE activity (
    period         smallint NOT NULL,
    start_at       bigint   NOT NULL,
    name           text     NOT NULL COLLATE "C",
    node           text     NOT NULL COLLATE "C",
    published      bigint   NOT NULL,
    duplicates     bigint   NOT NULL,
    done           bigint   NOT NULL,
    retried        bigint   NOT NULL,
    dead           bigint   NOT NULL,
    batches        bigint   NOT NULL,
    batch_timeouts bigint   NOT NULL,
    handler_time   bytea,
    latency        bytea,
    PRIMARY KEY (period, start_at, name, node)
) WITH (fillfactor = 70);
