package io.redrive.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Store files for tests. The schema is made once and copied, because a contract opens hundreds of stores. */
final class SqliteFiles {

    private static byte[] template;

    private SqliteFiles() {}

    /** The file of the store in this folder. */
    static Path in(Path dir) {
        return dir.resolve("store.db");
    }

    /** Opens a new store in this folder. */
    static SqliteStore create(Path dir) {
        return create(dir, SqliteOptions.DEFAULT);
    }

    static SqliteStore create(Path dir, SqliteOptions options) {
        try {
            Files.write(in(dir), template());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return SqliteStore.open(in(dir), options);
    }

    private static synchronized byte[] template() throws IOException {
        if (template == null) {
            Path dir = Files.createTempDirectory("redrive-template");
            SqliteStore.open(in(dir)).close();
            template = Files.readAllBytes(in(dir));
            Files.delete(in(dir));
            Files.delete(dir);
        }
        return template;
    }
}
