-- What calls of stages with a cost limit have cost, summed by the commits of all processes.
CREATE TABLE run_costs (
    run       INTEGER NOT NULL,
    stage     TEXT    NOT NULL,
    unit      TEXT    NOT NULL,   -- such as tokens
    price     TEXT    NOT NULL,   -- such as 0.15 USD/1M; empty when none was given
    reported  INTEGER NOT NULL,
    estimated INTEGER NOT NULL,           -- of calls that reported no cost
    PRIMARY KEY (run, stage, unit, price)
) STRICT, WITHOUT ROWID;
