package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains PostgreSQL's error states to a user of the store, and tells which states mean an undone transaction. */
final class PostgresErrors {

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String TERMINATED = "57P01";

    private static final String LOST = "the connection is lost; repeat the call, its work may or may not be done";

    private static final Pattern DENIED = Pattern.compile("denied for (database|schema|table|sequence) (\\S+)");

    private PostgresErrors() {}

    /**
     * True when the server undid the transaction for its own reasons, so that repeating the transaction is right and
     * safe.
     */
    static boolean isUndone(Throwable error) {
        return error instanceof SQLException e
                && (SERIALIZATION_FAILURE.equals(e.getSQLState())
                        || DEADLOCK.equals(e.getSQLState())
                        || TERMINATED.equals(e.getSQLState()));
    }

    /** Adds the store's address, which must not contain a password. */
    static StoreException explained(String address, SQLException e) {
        return new StoreException("store " + address + ": " + meaning(e) + " (" + e.getMessage() + ")", e);
    }

    private static String meaning(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (e instanceof SQLTransientConnectionException) {
            // The pool's time-out; its cause, if any, is the error of the server or the network.
            return e.getCause() instanceof SQLException cause
                    ? meaning(cause)
                    : "all connections of the pool are in use; let calls finish, or raise its size or connectTimeout";
        }
        return switch (state) {
            case SERIALIZATION_FAILURE, DEADLOCK ->
                "the transaction collided with others again and again; repeat the call";
            case TERMINATED, "57P02", "57P03" -> "the server is stopping or starting; repeat the call when it is up";
            case "57014" -> "the statement took too long and was cancelled; repeat the call, or raise answerTimeout";
            case "42501" -> missingRight(String.valueOf(e.getMessage()));
            case "26000", "42P05" ->
                "a pooler handed the connection on after a transaction; set prepareThreshold=0 on connections through"
                        + " it, or connect to the server itself";
            case "53100" -> "the server's disk is full, nothing was written; free some space, then repeat the call";
            case "53300" -> "the server accepts no more connections; close some, or raise its max_connections";
            case "25006" -> "the server is read-only; connect to the primary";
            case "28P01", "28000" -> "the server refused the user or the password";
            case "3D000" -> "the database does not exist; create it, or correct the URL";
            case "42P01", "3F000" ->
                "a table or sequence is gone; when all of them are, open the store anew to create them, else restore"
                        + " it from a backup";
            case "08001", "08004", "08P01" -> connecting(state, String.valueOf(e.getMessage()));
            default -> state.startsWith("08") ? LOST : "PostgreSQL refused";
        };
    }

    private static String connecting(String state, String message) {
        if (message.contains("no password was provided")) {
            return "the server wants a password and there is none; add ?user=…&password=… to the URL, or a line to the"
                    + " file .pgpass";
        }
        if (message.contains("unsupported startup parameter")) {
            return "the pooler refuses a setting of the driver; add it to pgbouncer's ignore_startup_parameters";
        }
        return state.equals("08P01")
                ? LOST
                : "the server cannot be reached; look whether it is up, and whether host and port are right";
    }

    /** Reads the object from the server's message, which is English unless the server is set up otherwise. */
    private static String missingRight(String message) {
        Matcher denied = DENIED.matcher(message);
        if (!denied.find()) {
            return "the user lacks a right on the store's schema; see the list of grants in the guide, stores.md";
        }
        String object = denied.group(1) + " " + denied.group(2);
        String grant = switch (denied.group(1)) {
            case "database" -> "CREATE ON DATABASE " + denied.group(2);
            case "schema" -> "USAGE ON SCHEMA " + denied.group(2);
            case "table" -> "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA <schema>";
            default -> "USAGE ON ALL SEQUENCES IN SCHEMA <schema>";
        };
        return "the user lacks a right on " + object + "; let its owner run GRANT " + grant + " TO <user>";
    }
}
