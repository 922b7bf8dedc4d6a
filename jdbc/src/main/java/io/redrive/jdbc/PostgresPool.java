package io.redrive.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The source of connections.
 *
 * @param source gives connections for events, letters and runs
 * @param migrations gives connections for migrations; in the store's own pool they have no time-outs
 * @param address server and database, for messages; never user or password
 * @param isolation the statement that makes a transaction READ COMMITTED; empty when connections have this isolation
 *     already
 * @param onClose closes the source, if the store owns it
 */
record PostgresPool(
        DataSource source, DataSource migrations, String address, Optional<String> isolation, Runnable onClose) {

    private static final String SCHEME = "jdbc:postgresql:";
    private static final Pattern USER_INFO = Pattern.compile("^jdbc:postgresql://[^/?]*@");

    /** Uses the application's own source, with the application's settings. */
    static PostgresPool of(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            boolean isReadCommitted = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
            Optional<String> isolation = isReadCommitted ? Optional.empty() : Optional.of(PostgresSql.READ_COMMITTED);
            return new PostgresPool(
                    source, source, address(connection.getMetaData().getURL()), isolation, () -> {});
        }
    }

    /** Opens a pool owned by the store. */
    static PostgresPool of(String jdbcUrl, PostgresOptions options) {
        String address = address(jdbcUrl);
        if (!jdbcUrl.startsWith(SCHEME)) {
            throw new IllegalArgumentException("jdbcUrl must start with " + SCHEME + ", got " + address
                    + "; write jdbc:postgresql://host/database?user=…&password=…");
        }
        // The driver would take the user for a host, and repeat the password in its message.
        if (USER_INFO.matcher(jdbcUrl).find()) {
            throw new IllegalArgumentException("jdbcUrl must give user and password as parameters, got "
                    + ConnectionSecrets.hidden(jdbcUrl) + "; write jdbc:postgresql://host/database?user=…&password=…");
        }
        HikariConfig config = new HikariConfig();
        config.setPoolName("redrive");
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(options.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(options.connectTimeout().toMillis());
        config.setValidationTimeout(options.connectTimeout().toMillis());
        config.setInitializationFailTimeout(-1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setDataSourceProperties(driverSettings(options));
        HikariDataSource pool = new HikariDataSource(config);
        PGSimpleDataSource migrations = new PGSimpleDataSource();
        migrations.setUrl(jdbcUrl);
        // A pooler may hand connections on, and each statement of a migration runs once.
        migrations.setPrepareThreshold(0);
        return new PostgresPool(pool, migrations, address, Optional.empty(), pool::close);
    }

    /** Defaults for the driver; parameters of the URL override them. */
    private static Properties driverSettings(PostgresOptions options) {
        Properties settings = new Properties();
        settings.setProperty("ApplicationName", "redrive");
        settings.setProperty("tcpKeepAlive", "true");
        settings.setProperty("connectTimeout", seconds(options.connectTimeout()));
        settings.setProperty("loginTimeout", seconds(options.connectTimeout()));
        // No answer for this long means a lost server or network: statements have the same time-out.
        settings.setProperty("socketTimeout", seconds(options.answerTimeout()));
        return settings;
    }

    /** The driver counts in seconds; zero would mean no limit. */
    private static String seconds(Duration timeout) {
        return Long.toString(Math.max(1, (timeout.toMillis() + 999) / 1_000));
    }

    /** Removes parameters and user: both may contain a password. */
    private static String address(String jdbcUrl) {
        String shown = ConnectionSecrets.hidden(jdbcUrl).replaceFirst("\\?.*", "");
        return shown.startsWith(SCHEME) ? shown.substring(SCHEME.length()).replaceFirst("^//", "") : shown;
    }
}
