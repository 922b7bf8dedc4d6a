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
final class PostgresClock {

    private final Time steered;

    private PostgresClock(Time steered) {
        this.steered = steered;
    }

    /** The server's clock. */
    static PostgresClock ofServer() {
        return new PostgresClock(null);
    }

    /** The server's clock as if it showed this time. */
    static PostgresClock steeredBy(Time time) {
        return new PostgresClock(time);
    }

    void bind(PreparedStatement statement, int parameter) throws SQLException {
        if (steered == null) {
            statement.setNull(parameter, Types.BIGINT);
        } else {
            statement.setLong(parameter, Micros.of(steered.now()));
        }
    }
}
