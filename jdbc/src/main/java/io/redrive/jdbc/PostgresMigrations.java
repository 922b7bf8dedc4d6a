package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Migrates the tables. Flyway runs only when the schema version differs, and on one node at a time: further nodes wait
 * for an advisory lock, then find the work done.
 */
final class PostgresMigrations {

    /** The highest migration in {@code db/postgres}; a test compares both. */
    static final int VERSION = 19;

    static final int OLDEST_SERVER = 13;

    private static final String LOCATION = "classpath:db/postgres";
    private static final String HISTORY = "schema_history";

    private final DataSource source;
    private final PostgresSchemaName schema;
    private final String address;

    PostgresMigrations(DataSource source, PostgresSchemaName schema, String address) {
        this.source = source;
        this.schema = schema;
        this.address = address;
    }

    void migrate() throws SQLException {
        try (Connection connection = source.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            requireServer(connection);
            if (isCurrent(connection)) {
                connection.setAutoCommit(autoCommit);
                return;
            }
            connection.setAutoCommit(false);
            try (PreparedStatement lock = connection.prepareStatement(PostgresSql.LOCK)) {
                lock.setLong(1, schema.lock("migrate"));
                lock.execute();
                if (!isCurrent(connection)) {
                    runFlyway();
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    boolean exists() throws SQLException {
        try (Connection connection = source.getConnection()) {
            return version(connection) > 0;
        }
    }

    private void requireServer(Connection connection) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < OLDEST_SERVER) {
            throw new StoreException("store " + address + ": PostgreSQL " + OLDEST_SERVER
                    + " or newer is needed, the server is " + version + "; upgrade the server");
        }
    }

    private boolean isCurrent(Connection connection) throws SQLException {
        int found = version(connection);
        if (found > VERSION) {
            throw new StoreException("store " + address + ": schema " + schema + " is of a newer Redrive (version "
                    + found + ", this one knows " + VERSION + "); upgrade Redrive, or choose another schema");
        }
        return found == VERSION;
    }

    private int version(Connection connection) throws SQLException {
        return number(connection, PostgresSql.HAS_HISTORY) == 0 ? 0 : number(connection, PostgresSql.SCHEMA_VERSION);
    }

    private int number(Connection connection, String sql) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(schema.in(sql));
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private void runFlyway() {
        try {
            Flyway.configure(PostgresMigrations.class.getClassLoader())
                    .dataSource(source)
                    .locations(LOCATION)
                    .schemas(schema.toString())
                    .table(HISTORY)
                    .loggers(MigrationLog.class.getName())
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new StoreException(
                    "store " + address + ": the tables in schema " + schema
                            + " cannot be brought up to date; is it a schema of Redrive alone, and may the user create"
                            + " tables? Let the owner of the schema open the store once, or run GRANT CREATE ON"
                            + " DATABASE <database> TO <user> for a schema that does not exist"
                            + " yet (" + e.getMessage() + ")",
                    e);
        }
    }
}
