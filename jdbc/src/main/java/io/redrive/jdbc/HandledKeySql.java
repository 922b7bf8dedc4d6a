package io.redrive.jdbc;

/** The statements about handled keys, which both dialects say alike. */
final class HandledKeySql {

    static final String CONTAINS = "SELECT 1 FROM redrive.handled_keys WHERE key = ? AND until > ?";

    static final String ADD = """
            INSERT INTO redrive.handled_keys AS held (key, until) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET until = excluded.until WHERE held.until < excluded.until
            """;

    /** Two parameters: the time, and how many at most. {@code %s} is how the rows are locked. */
    static final String SWEEP = """
            DELETE FROM redrive.handled_keys
            WHERE key IN (SELECT key FROM redrive.handled_keys WHERE until <= ? ORDER BY until LIMIT ?%s)
            """;

    private HandledKeySql() {}
}
