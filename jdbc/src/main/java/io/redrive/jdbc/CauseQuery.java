package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;

/** Runs a query for many causes, a hundred in each statement. */
final class CauseQuery {

    private static final int CAUSES_AT_ONCE = 100;

    /** The list of parameters in place of {@code %s}; its length is fixed, so that a statement is prepared once. */
    private static final String PARAMETERS = String.join(", ", Collections.nCopies(CAUSES_AT_ONCE, "?"));

    private CauseQuery() {}

    /** Reads one row. */
    interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Reads each row of {@code sql}, whose {@code %s} stands for the fingerprints. */
    static void read(SqlSession session, String sql, Collection<String> fingerprints, RowReader reader)
            throws SQLException {
        List<String> all = List.copyOf(new HashSet<>(fingerprints));
        for (int from = 0; from < all.size(); from += CAUSES_AT_ONCE) {
            List<String> some = all.subList(from, Math.min(all.size(), from + CAUSES_AT_ONCE));
            PreparedStatement query = session.prepare(sql.formatted(PARAMETERS));
            for (int i = 0; i < CAUSES_AT_ONCE; i++) {
                // Surplus parameters repeat the last cause.
                query.setString(i + 1, some.get(Math.min(i, some.size() - 1)));
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        }
    }
}
