package io.redrive.bench;

import io.redrive.jdbc.SqliteStore;
import java.nio.file.Path;

/** The first store of a process, in a file that does not exist yet. */
final class OpenNewStore {

    private OpenNewStore() {}

    /** Prints the milliseconds from the call of {@code open} to its return. */
    public static void main(String[] args) {
        QuietLog.now();
        long before = System.nanoTime();
        try (SqliteStore store = SqliteStore.open(Path.of(args[0]))) {
            System.out.println((System.nanoTime() - before) / 1e6);
        }
    }

    static double millis(Path file) throws Exception {
        return ChildJvm.start(OpenNewStore.class, file.toString()).figures()[0];
    }
}
