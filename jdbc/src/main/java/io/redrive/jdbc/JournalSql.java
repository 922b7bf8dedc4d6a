package io.redrive.jdbc;

/** The statements on the journal's tables. Differences between the databases are two constants side by side. */
final class JournalSql {

    static final String ADD_BLOCK =
            "INSERT INTO redrive.journal_blocks (events, finished_at, keep_until, packed) VALUES (?, ?, ?, ?)";

    private static final String NEWER = """
        ON CONFLICT (ordering_key) DO UPDATE SET
            created_at = excluded.created_at, origin = excluded.origin, keep_until = excluded.keep_until
        WHERE (excluded.created_at, excluded.origin) >= (newest.created_at, newest.origin)
        """;

    static final String SQLITE_ADD_KEY = """
        INSERT INTO journal_keys AS newest (ordering_key, created_at, origin, keep_until) VALUES (?, ?, ?, ?)
        """ + NEWER;

    /** Locks the keys in the order of the arrays, which all writers sort alike. */
    static final String POSTGRES_ADD_KEYS = """
        INSERT INTO redrive.journal_keys AS newest (ordering_key, created_at, origin, keep_until)
        SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[])
        """ + NEWER;

    /** Origins of redriven events; the origin of any other event is its position. */
    static final String ORIGIN = "SELECT coalesce(origin, seq) FROM redrive.events WHERE seq = ?";

    /** The oldest blocks, locked where transactions run side by side. */
    static final String OLDEST_BLOCKS = """
        SELECT block, events, finished_at, keep_until FROM redrive.journal_blocks
        ORDER BY block LIMIT ?""";

    /** {@code %s} is {@link Dialect#idIsOneOf}. */
    static final String BLOCKS = """
        SELECT packed FROM (SELECT block AS id, packed FROM redrive.journal_blocks) AS chosen WHERE %s ORDER BY id""";

    static final String BLOCKS_NEWEST_FIRST = """
        SELECT packed FROM redrive.journal_blocks WHERE finished_at >= ? ORDER BY block DESC""";
    static final String SQLITE_REMOVE_BLOCKS =
            "DELETE FROM journal_blocks WHERE block IN (SELECT value FROM json_each(?))";
    static final String POSTGRES_REMOVE_BLOCKS = "DELETE FROM redrive.journal_blocks WHERE block = ANY (?)";
    static final String FIRST_BLOCK_AT = "SELECT finished_at FROM redrive.journal_blocks ORDER BY block LIMIT 1";

    static final String ADD_SEGMENT = """
        INSERT INTO redrive.journal_segments (events, first_at, last_at, keep_until) VALUES (?, ?, ?, ?)
        RETURNING segment
        """;
    static final String SQLITE_ADD_PAGE = "INSERT INTO journal_pages (page, packed) VALUES (?, ?)";
    static final String SQLITE_ADD_ROW = "INSERT INTO journal_index (place, hashes) VALUES (?, ?)";
    static final String POSTGRES_ADD_PAGES =
            "INSERT INTO redrive.journal_pages (page, packed) SELECT * FROM unnest(?::bigint[], ?::bytea[])";
    static final String POSTGRES_ADD_ROWS =
            "INSERT INTO redrive.journal_index (place, hashes) SELECT * FROM unnest(?::bigint[], ?::bytea[])";

    static final String OLDEST_SEGMENT = """
        SELECT segment, keep_until FROM redrive.journal_segments
        ORDER BY segment LIMIT 1""";
    static final String FIRST_SEGMENT_AT = "SELECT first_at FROM redrive.journal_segments ORDER BY segment LIMIT 1";
    static final String LATEST_SEGMENTS = """
        SELECT segment FROM redrive.journal_segments
        WHERE segment < ? AND last_at >= ?
        ORDER BY segment DESC LIMIT ?""";

    static final String PAGE = "SELECT packed FROM redrive.journal_pages WHERE page = ?";
    static final String PAGES_LAST_FIRST =
            "SELECT packed FROM redrive.journal_pages WHERE page >= ? AND page < ? ORDER BY page DESC";

    static final String REMOVE_PAGES = "DELETE FROM redrive.journal_pages WHERE page >= ? AND page < ?";
    static final String REMOVE_ROWS = "DELETE FROM redrive.journal_index WHERE place >= ? AND place < ?";
    static final String REMOVE_SEGMENT = "DELETE FROM redrive.journal_segments WHERE segment = ?";
    static final String REMOVE_KEY = "DELETE FROM redrive.journal_keys WHERE ordering_key = ? AND keep_until <= ?";
    static final String REMOVE_ATTEMPTS = "DELETE FROM redrive.attempts WHERE origin = ?";

    static final String FAILURES = """
        SELECT number, at, node, duration, error_type, message, decision, why
        FROM redrive.attempts WHERE origin = ? ORDER BY id
        """;

    /**
     * Segments whose index has a hash, the newest first: in each segment one row is read. Parameters: the hash, its
     * bytes, the segment to begin before, the most segments.
     */
    static final String SQLITE_FIND = """
        SELECT segment, hashes
        FROM journal_segments CROSS JOIN journal_index
        WHERE place = (
                SELECT max(place) FROM journal_index WHERE place >= segment << 32 AND place <= (segment << 32) + ?1)
            AND instr(hashes, ?2) > 0 AND segment < ?3
        ORDER BY segment DESC
        LIMIT ?4
        """;

    static final String POSTGRES_FIND = """
        SELECT segment, hashes
        FROM redrive.journal_segments
        CROSS JOIN LATERAL (
            SELECT hashes FROM redrive.journal_index
            WHERE place >= segment << 32 AND place <= (segment << 32) + ?
            ORDER BY place DESC LIMIT 1) AS row
        WHERE position(?::bytea IN hashes) > 0 AND segment < ?
        ORDER BY segment DESC
        LIMIT ?
        """;

    private JournalSql() {}
}
