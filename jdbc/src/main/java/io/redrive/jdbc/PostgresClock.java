package io.redrive.jdbc;

import io.redrive.core.Time;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * The clock that decides which events are due and which leases have expired. The nodes that share a PostgreSQL store
 * have different clocks, so the server's clock decides, and a time given by a caller is read as a distance from the
 * caller's {@code now}.
 *
 * <p>Statements read the clock as {@code coalesce(?, clock_timestamp())}. In production the parameter is NULL; a test
 * binds a time of its own. Only this interface makes the choice.
 */
interface PostgresClock {

    /** Binds NULL for the server's clock, or the time of a test. */
    void bind(PreparedStatement statement, int parameter) throws SQLException;

    /** The server's clock. */
    static PostgresClock ofServer() {
        return (statement, parameter) -> statement.setNull(parameter, Types.BIGINT);
    }

    /** A server's clock that shows the given time. */
    static PostgresClock steeredBy(Time time) {
        return (statement, parameter) -> statement.setLong(parameter, Micros.of(time.now()));
    }
}
