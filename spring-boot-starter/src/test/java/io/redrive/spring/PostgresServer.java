package io.redrive.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server for all tests of a JVM. */
final class PostgresServer {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static EmbeddedPostgres started;

    private PostgresServer() {}

    /** What an application sets to use it, with a schema of its own for events. */
    static String[] properties() {
        return new String[] {
            "spring.datasource.url=" + url(), "redrive.store.schema=redrive_" + SCHEMAS.incrementAndGet(),
        };
    }

    private static synchronized String url() {
        if (started == null) {
            try {
                started = EmbeddedPostgres.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return started.getJdbcUrl("postgres", "postgres");
    }
}
