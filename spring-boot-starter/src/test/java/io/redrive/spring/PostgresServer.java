package io.redrive.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL server for all tests of a JVM. */
final class PostgresServer {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static EmbeddedPostgres started;

    private PostgresServer() {}

    /** The properties of an application that uses the server, with a separate schema for events. */
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
