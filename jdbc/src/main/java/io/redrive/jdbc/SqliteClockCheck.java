package io.redrive.jdbc;

import io.redrive.core.DurationText;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Detects a clock that was set back, and moves back the times which the fast clock had set. Otherwise an event retried
 * while the clock was an hour ahead would wait for an hour, and every later event of its ordering key with it.
 *
 * <p>The file keeps the latest time of any recovery. A pipeline recovers every few seconds. The clock counts as set
 * back when two consecutive recoveries of this process are behind the latest time by more than {@link #TOLERANCE}, and
 * the second is later than the first. One recovery proves nothing: its process may have stalled after reading the
 * clock. Events and leases timed later than the new present keep the length of their waits, counted from the new
 * present. Due times chosen by a publisher are points in time and stay.
 */
final class SqliteClockCheck {

    /** Smaller steps back are waited out. */
    static final Duration TOLERANCE = Duration.ofSeconds(30);

    private static final Logger LOG = System.getLogger(SqliteClockCheck.class.getName());
    private static final long TOLERATED = Micros.between(Instant.EPOCH, Instant.EPOCH.plus(TOLERANCE));
    private static final long NOT_BEHIND = Long.MAX_VALUE;

    private final Path path;
    private final SqliteGroupCommitWriter writer;
    private final SqliteReaders readers;
    /** Time of the last recovery, when it was behind; else {@link #NOT_BEHIND}. */
    private long behindAt = NOT_BEHIND;

    SqliteClockCheck(Path path, SqliteGroupCommitWriter writer, SqliteReaders readers) {
        this.path = path;
        this.writer = writer;
        this.readers = readers;
    }

    /** Compares the time of a recovery with the latest time of any recovery. */
    synchronized void check(Instant recovery) {
        long now = Micros.of(recovery);
        long latest = readers.read(SqliteClockCheck::latest);
        if (now >= latest - TOLERATED) {
            behindAt = NOT_BEHIND;
            if (now - TOLERATED > latest) {
                writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> replaceLatest(session, latest, now));
            }
        } else if (now > behindAt) {
            setBack(latest, now);
            behindAt = NOT_BEHIND;
        } else {
            behindAt = now;
        }
    }

    private void setBack(long latest, long now) {
        record Moved(int events, int leases) {}
        Optional<Moved> done = writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> {
            if (!replaceLatest(session, latest, now)) {
                return Optional.empty(); // another process has moved the times
            }
            int events = update(session, SqliteSql.MOVE_WAITS_BACK, now);
            events += update(session, SqliteSql.MOVE_PUBLISHED_BACK, now);
            return Optional.of(new Moved(events, update(session, SqliteSql.MOVE_LEASES_BACK, now)));
        });
        done.ifPresent(moved -> LOG.log(
                Level.WARNING,
                "store {0}: the clock was set back by about {1}, from {2} to {3}; moved back what the fast clock had"
                        + " timed: due times of {4} events, {5} leases. Events with a due time of their own keep it",
                path,
                DurationText.format(
                        Duration.ofSeconds(Micros.toDuration(latest - now).toSeconds())),
                Micros.toInstant(latest),
                Micros.toInstant(now),
                moved.events(),
                moved.leases()));
    }

    private static long latest(SqliteSession session) throws SQLException {
        try (ResultSet row = session.prepare(SqliteSql.LATEST_TIME).executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns false when another process has replaced the latest time since it was read. */
    private static boolean replaceLatest(SqliteSession session, long latest, long now) throws SQLException {
        PreparedStatement replace = session.prepare(SqliteSql.REPLACE_LATEST_TIME);
        replace.setLong(1, now);
        replace.setLong(2, latest);
        return replace.executeUpdate() == 1;
    }

    private static int update(SqliteSession session, String sql, long now) throws SQLException {
        PreparedStatement update = session.prepare(sql);
        update.setLong(1, now);
        return update.executeUpdate();
    }
}
