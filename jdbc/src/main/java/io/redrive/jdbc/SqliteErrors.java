package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Explains SQLite's result codes to a user of the store. */
final class SqliteErrors {

    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int NOTADB = 26;

    private SqliteErrors() {}

    static StoreException explained(Path file, SQLException e) {
        return new StoreException("store " + file + ": " + meaning(e) + " (" + e.getMessage() + ")", e);
    }

    /** Returns true when another connection holds a lock that the statement needs. */
    static boolean isBusy(SQLException e) {
        return primaryCode(e) == BUSY;
    }

    private static String meaning(SQLException e) {
        switch (primaryCode(e)) {
            case BUSY:
            case LOCKED:
                return "another process kept the file locked; let it finish, or raise lockTimeout";
            case READONLY:
                return "the file or its folder cannot be written; grant write permission to both";
            case IOERR:
                return "reading or writing failed; check the disk, then repeat the call";
            case CORRUPT:
                return "the file is damaged; restore a backup, or save what is left with 'sqlite3 FILE .recover'";
            case FULL:
                return "the disk is full, nothing was written; free some space, then repeat the call";
            case CANTOPEN:
                return "the file cannot be opened; check that its folder exists and may be written";
            case NOTADB:
                return "the file is not a SQLite database; choose another path";
            default:
                return "SQLite refused";
        }
    }

    /** The low byte of the code; the upper bytes tell variants apart. */
    private static int primaryCode(SQLException e) {
        return e.getErrorCode() & 0xFF;
    }
}
