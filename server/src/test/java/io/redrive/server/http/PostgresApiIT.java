package io.redrive.server.http;

import io.redrive.server.SharedPostgres;
import io.redrive.server.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class PostgresApiIT implements ApiContract {

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder, "", SharedPostgres.newDatabase());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public TestServer server() {
        return server;
    }
}
