package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A transaction under way, for what both dialects say in the same words. */
interface SqlSession {

    /**
     * The statement for this text; close the results, never the statement. Texts shared by the dialects name their tables
     * in the schema {@code redrive}, and the session puts the real one, if any, in its place.
     */
    PreparedStatement prepare(String sql) throws SQLException;

    /** Which of the dialects it speaks, where they differ. */
    Dialect dialect();
}
