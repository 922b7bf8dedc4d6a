package io.redrive.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One PostgreSQL for all test classes of this JVM, with a database for each class. The PostgreSQL ends with the JVM. */
public final class SharedPostgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static @Nullable EmbeddedPostgres started;

    private SharedPostgres() {}

    /** Returns the JDBC URL of a new, empty database. */
    public static synchronized String newDatabase() throws IOException, SQLException {
        if (started == null) {
            started = EmbeddedPostgres.start();
        }
        String name = "test_" + DATABASES.incrementAndGet();
        try (Connection connection = started.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return started.getJdbcUrl("postgres", name);
    }
}
