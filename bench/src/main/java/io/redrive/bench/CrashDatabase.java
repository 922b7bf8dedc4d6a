package io.redrive.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A real PostgreSQL server that can be stopped, and started again with its data and its port. */
final class CrashDatabase implements AutoCloseable {

    private final Path folder;
    private EmbeddedPostgres server;

    CrashDatabase(Path folder) throws IOException {
        this.folder = folder;
        server = start(0);
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on");
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** Ends all connections, leaves the server down for a while, and starts a server on the same data. */
    void restart(Duration down) throws IOException, InterruptedException {
        int port = server.getPort();
        server.close();
        Thread.sleep(down.toMillis());
        server = start(port);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
