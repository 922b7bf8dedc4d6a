package io.redrive.jdbc;

import io.redrive.events.HandledKeys;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** The table of handled keys, for both dialects. */
final class HandledKeyRows {

    private static final String CONTAINS = "SELECT 1 FROM redrive.handled_keys WHERE key = ? AND until > ?";

    private static final String ADD = """
        INSERT INTO redrive.handled_keys AS held (key, until) VALUES (?, ?)
        ON CONFLICT (key) DO UPDATE SET until = excluded.until WHERE held.until < excluded.until
        """;

    /** {@code %s} is {@link Dialect#forUpdateSkipLocked}. */
    private static final String SWEEP = """
        DELETE FROM redrive.handled_keys
        WHERE key IN (SELECT key FROM redrive.handled_keys WHERE until <= ? ORDER BY until LIMIT ?%s)
        """;

    private HandledKeyRows() {}

    static boolean contains(SqlSession session, String key, Instant now) throws SQLException {
        PreparedStatement contains = session.prepare(CONTAINS);
        contains.setString(1, key);
        contains.setLong(2, Micros.of(now));
        try (ResultSet row = contains.executeQuery()) {
            return row.next();
        }
    }

    /** Adds a key, or moves the end of its retention to a later time. */
    static int add(SqlSession session, String key, Instant until) throws SQLException {
        PreparedStatement add = session.prepare(ADD);
        add.setString(1, key);
        add.setLong(2, Micros.of(until));
        return add.executeUpdate();
    }

    /** Deletes up to {@link HandledKeys#SWEPT_AT_ONCE} keys whose retention is over. */
    static int sweep(SqlSession session, Instant now) throws SQLException {
        PreparedStatement sweep = session.prepare(SWEEP.formatted(session.dialect().forUpdateSkipLocked));
        sweep.setLong(1, Micros.of(now));
        sweep.setInt(2, HandledKeys.SWEPT_AT_ONCE);
        return sweep.executeUpdate();
    }
}
