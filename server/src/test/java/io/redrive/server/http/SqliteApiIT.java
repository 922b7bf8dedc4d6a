package io.redrive.server.http;

import io.redrive.server.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class SqliteApiIT implements ApiContract {

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start(folder, "");
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
