package io.redrive.jdbc;

import io.redrive.events.HandledKeys;
import java.time.Instant;

/** Handled keys in the database. */
record PostgresHandledKeys(PostgresDatabase database) implements HandledKeys {

    @Override
    public boolean contains(String key, Instant now) {
        HandledKeys.require(key);
        return database.statement(session -> HandledKeyRows.contains(session, key, now));
    }

    /** Two transactions: the key is safe before the sweep, which may collide with the sweeps of nodes beside this one. */
    @Override
    public void add(String key, Instant until, Instant now) {
        HandledKeys.require(key);
        database.statement(session -> HandledKeyRows.add(session, key, until));
        database.statement(session -> HandledKeyRows.sweep(session, now));
    }
}
