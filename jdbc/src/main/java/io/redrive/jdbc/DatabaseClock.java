package io.redrive.jdbc;

import io.redrive.core.Time;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Whose time counts. Several nodes share a PostgreSQL store and their clocks differ, so the server's clock decides what is
 * due and which lease has run out, and what callers say in their own time is taken relative to their {@code now}.
 *
 * <p>Statements read the clock as {@code coalesce(?, clock_timestamp())}. In production the parameter is NULL; a test
 * steers the database's clock by binding a time of its own. That choice is made here and nowhere else.
 */
final class DatabaseClock {

    private final Time steered;

    private DatabaseClock(Time steered) {
        this.steered = steered;
    }

    /** The server's clock. */
    static DatabaseClock ofServer() {
        return new DatabaseClock(null);
    }

    /** The server's clock as if it showed this time. */
    static DatabaseClock steeredBy(Time time) {
        return new DatabaseClock(time);
    }

    void bind(PreparedStatement statement, int parameter) throws SQLException {
        if (steered == null) {
            statement.setNull(parameter, Types.BIGINT);
        } else {
            statement.setLong(parameter, Micros.of(steered.now()));
        }
    }
}
