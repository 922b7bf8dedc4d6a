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
 * Where connections come from.
 *
 * @param source gives them
 * @param migrations gives them for changing tables, which may take its time
 * @param address server and database, for messages; never user or password
 * @param isolation the statement that makes a transaction READ COMMITTED; empty when each connection is so already
 * @param onClose what to do with the source in the end
 */
record PostgresPool(
        DataSource source, DataSource migrations, String address, Optional<String> isolation, Runnable onClose) {

    private static final String SCHEME = "jdbc:postgresql:";
    private static final Pattern USER_INFO = Pattern.compile("^jdbc:postgresql://[^/?]*@");

    /** The application's own source; its settings are the application's business. */
    static PostgresPool of(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            boolean isReadCommitted = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
            Optional<String> isolation = isReadCommitted ? Optional.empty() : Optional.of(PostgresSql.READ_COMMITTED);
            return new PostgresPool(
                    source, source, address(connection.getMetaData().getURL()), isolation, () -> {});
        }
    }

    /** A pool of our own. */
    static PostgresPool of(String jdbcUrl, PostgresOptions options) {
        String address = address(jdbcUrl);
        if (!jdbcUrl.startsWith(SCHEME)) {
            throw new IllegalArgumentException("jdbcUrl must start with " + SCHEME + ", got " + address
                    + "; write jdbc:postgresql://host/database?user=…&password=…");
        }
        // The driver takes what is before the @ for a host, and repeats it in its complaint.
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
        // A pooler may hand its connections on, and nothing here is run often.
        migrations.setPrepareThreshold(0);
        return new PostgresPool(pool, migrations, address, Optional.empty(), pool::close);
    }

    /** What the URL says itself goes before these. */
    private static Properties driverSettings(PostgresOptions options) {
        Properties settings = new Properties();
        settings.setProperty("ApplicationName", "redrive");
        settings.setProperty("tcpKeepAlive", "true");
        settings.setProperty("connectTimeout", seconds(options.connectTimeout()));
        settings.setProperty("loginTimeout", seconds(options.connectTimeout()));
        // A socket that is silent although a statement must be over by then: the server, or the way to it, is gone.
        settings.setProperty("socketTimeout", seconds(options.answerTimeout()));
        return settings;
    }

    /** The driver counts in seconds; zero would mean for ever. */
    private static String seconds(Duration timeout) {
        return Long.toString(Math.max(1, (timeout.toMillis() + 999) / 1_000));
    }

    /** What follows the question mark, and what precedes an @, may be a password. */
    private static String address(String jdbcUrl) {
        String shown = ConnectionSecrets.hidden(jdbcUrl).replaceFirst("\\?.*", "");
        return shown.startsWith(SCHEME) ? shown.substring(SCHEME.length()).replaceFirst("^//", "") : shown;
    }
}
