package io.redrive.jdbc;

import io.redrive.events.EventStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class SqliteUnreadableRowsTest extends UnreadableRows {

    @TempDir
    private Path dir;

    private SqliteStore store;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    EventStore store() {
        return store;
    }

    @Override
    void plant(String change) {
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + SqliteFiles.in(dir));
                Statement statement = file.createStatement()) {
            statement.executeUpdate("UPDATE events SET " + change + " WHERE event_id = 'bad'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
