package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.jdbc.LowWater.Look;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The lines of ordering keys: all unfinished events of a key, in the order of publishing, of which at most one is active
 * (ready or claimed).
 *
 * <p>Who is next cannot be decided by those who change a line. A publisher who finds an event before his own, and the
 * settler who at the same moment ends that event and finds nobody behind it, do not see each other's transaction, and the
 * line would stand still for ever. Nor can one wait for the other: publishers join transactions of callers, which may
 * take long. So both only leave a call, a row that is seen as soon as their transaction is committed. Claimers answer
 * calls, one transaction at a time (it is a matter of microseconds; a claimer who finds another at it leaves the calls to
 * a later claim), and so each answer sees everything that the calls before it were about.
 */
final class PostgresLines {

    private static final int CALLS_PER_CLAIM = 2_000;
    private static final String PURPOSE = "lines";

    private final LowWater calls;

    PostgresLines(Time time) {
        calls = new LowWater(time);
    }

    Look look() {
        return calls.look();
    }

    /** Makes the first of each line that calls, and has no active event, ready. */
    void answer(PostgresSession session, Look look) throws SQLException {
        PreparedStatement lock = session.prepare(PostgresSql.TRY_LOCK);
        lock.setLong(1, session.schema().lock(PURPOSE));
        try (ResultSet row = lock.executeQuery()) {
            row.next();
            if (!row.getBoolean(1)) {
                return;
            }
        }
        // A statement of its own: what it sees begins after the lock was had.
        PreparedStatement answer = session.prepare(PostgresSql.ANSWER_CALLS);
        answer.setLong(1, look.from().major());
        answer.setInt(2, CALLS_PER_CLAIM);
        try (ResultSet row = answer.executeQuery()) {
            row.next();
            long last = row.getLong(1);
            if (!row.wasNull()) {
                look.reach(last, 0);
            }
        }
    }
}
