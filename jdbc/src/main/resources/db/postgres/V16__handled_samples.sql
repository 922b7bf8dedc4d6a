-- A sample of handled events by name, to be compared with dead letters: the newest of each name, of few names.
-- payload has at most the first 4,096 bytes; payload_size is the size of the whole payload. Times are in microseconds.
CREATE TABLE handled_names (
    name   text   NOT NULL COLLATE "C" PRIMARY KEY,
    newest bigint NOT NULL
);

CREATE TABLE handled_samples (
    name           text     NOT NULL COLLATE "C",
    handled_at     bigint   NOT NULL,
    event_id       text     NOT NULL COLLATE "C",
    correlation_id text     NOT NULL,
    source         text     NOT NULL,
    priority       smallint NOT NULL,
    ordering_key   text,
    content_type   text     NOT NULL,
    headers        text,
    created_at     bigint   NOT NULL,
    due_at         bigint   NOT NULL,
    deadline       bigint,
    payload_size   integer  NOT NULL,
    node           text     NOT NULL,
    version        text,
    payload        bytea    NOT NULL,
    PRIMARY KEY (name, handled_at, event_id)
);

-- For the retention.
CREATE INDEX handled_samples_by_age ON handled_samples (handled_at);
