package io.redrive.jdbc;

import io.redrive.events.LogPlace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/**
 * Settles places of logs in transactions of the caller: the work of a handler and the end of its record commit together, or neither
 * does. So the work counts exactly once, however often the record is delivered. Thread-safe.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * if (store.places().settle(connection, flow.placeOf(event))) {
 *     insertInvoice(connection, event);
 * }
 * connection.commit();
 * }</pre>
 */
public final class PostgresPlaces {

    /** A place of a stored event is settled beside the place of its record, in the row of a bookmark with this end. */
    static final String STORED = "!";

    private static final String ADD = """
        INSERT INTO redrive.bookmarks (name, epoch, owner, released, taken_from, crashes)
        VALUES (?, 0, '', true, -1, 0)
        ON CONFLICT (name) DO NOTHING
        """;

    private static final String SETTLE = """
        INSERT INTO redrive.settled (bookmark, place, settled_at)
        SELECT id, ?, ? FROM redrive.bookmarks WHERE name = ?
        ON CONFLICT DO NOTHING
        """;

    private final PostgresDatabase database;
    private final PostgresClock clock;

    PostgresPlaces(PostgresDatabase database, PostgresClock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Settles a place when the caller's transaction commits. The connection must be to the database of this store, with autocommit
     * off; the call neither commits nor closes it. A place that another open transaction settles makes this call wait for the end of
     * that transaction.
     *
     * <p>A committed place ends its record: a handler that throws after its commit is not retried and leaves no letter.
     *
     * @return false when a committed transaction settled the place before: the caller must do no work for the record, and return
     * @throws IllegalArgumentException when the connection commits each statement
     * @throws io.redrive.events.StoreException when the database refuses
     */
    public boolean settle(Connection connection, LogPlace place) {
        String bookmark = place.isStored() ? place.bookmark() + STORED : place.bookmark();
        return database.joining(connection, session -> {
            if (place.isStored()) {
                PreparedStatement add = session.prepare(ADD);
                add.setString(1, bookmark);
                add.executeUpdate();
            }
            PreparedStatement query = session.prepare(PostgresSql.NOW);
            clock.bind(query, 1);
            long now;
            try (ResultSet row = query.executeQuery()) {
                row.next();
                now = row.getLong(1);
            }
            PreparedStatement settle = session.prepare(SETTLE);
            settle.setLong(1, place.place());
            settle.setLong(2, now);
            settle.setString(3, bookmark);
            return settle.executeUpdate() == 1;
        });
    }
}
