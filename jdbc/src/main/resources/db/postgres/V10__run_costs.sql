-- What calls of stages with a cost limit have cost, summed by the commits of all processes.
CREATE TABLE run_costs (
    run       bigint NOT NULL,
    stage     text   NOT NULL COLLATE "C",
    unit      text   NOT NULL COLLATE "C",   -- such as tokens
    price     text   NOT NULL COLLATE "C",   -- such as 0.15 USD/1M; empty when none was given
    reported  bigint NOT NULL,
    estimated bigint NOT NULL,           -- of calls that reported no cost
    PRIMARY KEY (run, stage, unit, price)
);
