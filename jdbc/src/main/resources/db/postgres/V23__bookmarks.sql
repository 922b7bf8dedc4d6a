-- One row for each log outside the store, for example a partition of a Kafka topic: who may adopt its events.
CREATE TABLE bookmarks (
    id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    epoch      bigint  NOT NULL,                      -- number of takeovers; an adoption with another epoch is refused
    taken_from bigint  NOT NULL,                      -- first unfinished place of the log at the last takeover
    crashes    integer NOT NULL,                      -- owners in a row that left no release while the log stood there
    released   boolean NOT NULL,
    owner      text    NOT NULL COLLATE "C",
    name       text    NOT NULL COLLATE "C" UNIQUE
);

-- Places of logs whose event was adopted, kept until the log has finished them for good.
CREATE TABLE settled (
    bookmark   bigint NOT NULL,
    place      bigint NOT NULL,
    settled_at bigint NOT NULL,
    PRIMARY KEY (bookmark, place)
);
