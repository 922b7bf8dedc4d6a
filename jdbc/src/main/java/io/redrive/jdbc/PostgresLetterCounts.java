package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Folds the changes of letter counts into the counts, so that reading a count reads few rows. One node folds at a time, and a
 * count is the same before and after.
 */
final class PostgresLetterCounts {

    private static final int CHANGES_AT_ONCE = 10_000;
    private static final String FOLDING = "letter counts";

    private static final String FOLD = """
        WITH taken AS (
            DELETE FROM redrive.letter_count_changes
            WHERE id = ANY (ARRAY(SELECT id FROM redrive.letter_count_changes ORDER BY id LIMIT ?))
            RETURNING fingerprint, name, reason, letters
        ), folded AS (
            INSERT INTO redrive.letter_counts (fingerprint, name, reason, letters)
            SELECT fingerprint, name, reason, sum(letters) FROM taken GROUP BY fingerprint, name, reason
            ON CONFLICT (fingerprint, name, reason)
            DO UPDATE SET letters = letter_counts.letters + excluded.letters
        )
        SELECT count(*) FROM taken
        """;

    private static final String FORGET_EMPTY = "DELETE FROM redrive.letter_counts WHERE letters = 0";

    private PostgresLetterCounts() {}

    /** Returns the number of folded changes when more changes may be left, otherwise zero. */
    static int fold(PostgresDatabase database) {
        return database.hotTransaction(PostgresLetterCounts::foldSome);
    }

    private static int foldSome(PostgresSession session) throws SQLException {
        PreparedStatement lock = session.prepare(PostgresSql.TRY_LOCK);
        lock.setLong(1, session.schema().lock(FOLDING));
        try (ResultSet row = lock.executeQuery()) {
            row.next();
            if (!row.getBoolean(1)) {
                return 0;
            }
        }
        PreparedStatement fold = session.prepare(FOLD);
        fold.setInt(1, CHANGES_AT_ONCE);
        int folded;
        try (ResultSet row = fold.executeQuery()) {
            row.next();
            folded = row.getInt(1);
        }
        if (folded > 0) {
            session.prepare(FORGET_EMPTY).executeUpdate();
        }
        return folded == CHANGES_AT_ONCE ? folded : 0;
    }
}
