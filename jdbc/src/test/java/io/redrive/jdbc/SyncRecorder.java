package io.redrive.jdbc;

import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the setting of {@code PRAGMA synchronous} with which each changed row of some tables is committed. SQLite reads
 * and writes its files itself, so no file system of ours can drop its unsynced writes. Instead, triggers on the writer's
 * connection note the setting: SQLite allows no change of the setting within a transaction.
 */
record SyncRecorder(SqliteGroupCommitWriter writer) {

    static final int FULL = 2;
    static final int NORMAL = 1;

    static SyncRecorder on(SqliteGroupCommitWriter writer, List<String> tables) {
        writer.write(Sync.DURABLE, 0, session -> {
            session.execute("CREATE TEMP TABLE changes (sync INTEGER)");
            for (String table : tables) {
                for (String change : List.of("INSERT", "UPDATE", "DELETE")) {
                    session.execute("CREATE TEMP TRIGGER " + change + "_" + table + " AFTER " + change + " ON main."
                            + table + " BEGIN INSERT INTO changes SELECT synchronous FROM pragma_synchronous; END");
                }
            }
            return null;
        });
        return new SyncRecorder(writer);
    }

    /** Returns the setting at each change since the last call, and leaves the connection with that of harmless work. */
    List<Integer> changes() {
        return writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> {
            List<Integer> found = new ArrayList<>();
            try (ResultSet row = session.prepare("SELECT sync FROM changes").executeQuery()) {
                while (row.next()) {
                    found.add(row.getInt(1));
                }
            }
            session.prepare("DELETE FROM changes").executeUpdate();
            return found;
        });
    }
}
