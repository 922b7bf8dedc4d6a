package io.redrive.server.http;

import io.redrive.server.TestServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class PostgresApiIT implements ApiContract {

    @TempDir
    static Path folder;

    private static EmbeddedPostgres database;
    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        database = EmbeddedPostgres.start();
        server = TestServer.start(folder, "", database.getJdbcUrl("postgres", "postgres"));
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        database.close();
    }

    @Override
    public TestServer server() {
        return server;
    }
}
