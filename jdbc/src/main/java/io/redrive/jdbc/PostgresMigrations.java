package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Migrates the tables. Flyway runs only for tables of an older version, and on one node at a time: further nodes wait for an
 * advisory lock, then find the work done. A schema that is missing or empty gets its tables without Flyway.
 */
final class PostgresMigrations {

    /** The version of the last migration. */
    static final int VERSION = MigrationScripts.POSTGRES.version();

    static final int OLDEST_SERVER = 13;

    private static final String LOCATION = "classpath:db/postgres";
    private static final String HISTORY = "schema_history";

    /** Flyway's table as Flyway creates it. */
    private static final String CREATE_HISTORY = """
            CREATE TABLE "schema_history" (
                "installed_rank" INT NOT NULL,
                "version" VARCHAR(50),
                "description" VARCHAR(200) NOT NULL,
                "type" VARCHAR(20) NOT NULL,
                "script" VARCHAR(1000) NOT NULL,
                "checksum" INTEGER,
                "installed_by" VARCHAR(100) NOT NULL,
                "installed_on" TIMESTAMP NOT NULL DEFAULT now(),
                "execution_time" INTEGER NOT NULL,
                "success" BOOLEAN NOT NULL,
                CONSTRAINT "schema_history_pk" PRIMARY KEY ("installed_rank")
            );
            CREATE INDEX "schema_history_s_idx" ON "schema_history" ("success");
            """;

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
                    bringUpToDate(connection);
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

    private int countInSchema(Connection connection, String sql) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, schema.toString());
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private void bringUpToDate(Connection connection) {
        try {
            if (countInSchema(connection, PostgresSql.COUNT_RELATIONS) > 0) {
                runFlyway();
            } else {
                create(connection);
            }
        } catch (SQLException | FlywayException e) {
            throw new StoreException(
                    "store " + address + ": the tables in schema " + schema
                            + " cannot be brought up to date; is it a schema of Redrive alone, and may the user create"
                            + " tables? Let the owner of the schema open the store once, or run GRANT CREATE ON"
                            + " DATABASE <database> TO <user> for a schema that does not exist"
                            + " yet (" + e.getMessage() + ")",
                    e);
        }
    }

    /** Creates the schema when it is missing, and all tables, in the transaction that holds the lock. */
    private void create(Connection connection) throws SQLException {
        String name = '"' + schema.toString() + '"';
        try (Statement statement = connection.createStatement()) {
            if (countInSchema(connection, PostgresSql.COUNT_SCHEMAS) == 0) {
                statement.execute("CREATE SCHEMA " + name);
            }
            statement.execute("SET LOCAL search_path TO " + name);
            statement.execute(MigrationScripts.POSTGRES.all(CREATE_HISTORY, HISTORY));
        }
        connection.commit();
    }

    private void runFlyway() {
        Flyway.configure(PostgresMigrations.class.getClassLoader())
                .dataSource(source)
                .locations(LOCATION)
                .schemas(schema.toString())
                .table(HISTORY)
                .loggers(MigrationLog.class.getName())
                .load()
                .migrate();
    }
}
