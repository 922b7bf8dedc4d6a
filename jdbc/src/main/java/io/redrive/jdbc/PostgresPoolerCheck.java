package io.redrive.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Detects a pooler between store and server that hands a server connection on after each transaction (pgbouncer in
 * transaction mode). Statements prepared on such a connection fail later, or run a statement which another client
 * prepared under the same name; a {@code LISTEN} stays on a connection given to another client.
 *
 * <p>A pooler answers the driver's greeting itself, with a process id different from the server's. In session mode a
 * client keeps its server connection: two clients see two constant process ids, and prepared statements are safe.
 */
final class PostgresPoolerCheck {

    private static final int ROUNDS = 4;

    private PostgresPoolerCheck() {}

    static boolean sharesConnections(DataSource source) throws SQLException {
        try (Connection one = source.getConnection()) {
            if (!one.isWrapperFor(PGConnection.class)) {
                return false;
            }
            int process = serverProcess(one);
            if (process == one.unwrap(PGConnection.class).getBackendPID()) {
                return false;
            }
            try (Connection two = source.getConnection()) {
                for (int i = 0; i < ROUNDS; i++) {
                    if (serverProcess(two) == process || serverProcess(one) != process) {
                        return true;
                    }
                }
                return false;
            }
        }
    }

    /** Asks in a separate transaction. */
    private static int serverProcess(Connection connection) throws SQLException {
        return PostgresDatabase.with(connection, true, own -> {
            try (Statement query = own.createStatement();
                    ResultSet row = query.executeQuery("SELECT pg_backend_pid()")) {
                row.next();
                return row.getInt(1);
            }
        });
    }
}
