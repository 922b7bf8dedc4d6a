package io.redrive.jdbc;

import java.sql.SQLException;

/** Work in one transaction. A transaction may be repeated, so the work keeps no state between runs. */
interface SqlWork<S, T> {

    T run(S session) throws SQLException;
}
