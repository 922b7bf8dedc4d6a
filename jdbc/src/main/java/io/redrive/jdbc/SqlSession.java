package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A transaction in progress, for statements common to both dialects. */
interface SqlSession {

    /**
     * Returns the statement for this text; close its results, never the statement. Texts common to both dialects name
     * their tables in the schema {@code redrive}, which the session replaces.
     */
    PreparedStatement prepare(String sql) throws SQLException;

    /** The dialect, where statements differ. */
    Dialect dialect();
}
