package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class PostgresUnreadableRowsIT extends UnreadableRows {

    private final PostgresServer server = PostgresServer.get();

    @TempDir
    private Path dir;

    private PostgresStore store;

    @BeforeEach
    void open() {
        store = server.create(dir, new ManualTime());
    }

    @Override
    EventStore store() {
        return store;
    }

    @Override
    void plant(String change) {
        server.execute("UPDATE " + server.schemaOf(dir) + ".events SET " + change + " WHERE event_id = 'bad'");
    }
}
