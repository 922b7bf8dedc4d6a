package io.redrive.jdbc;

import java.sql.SQLException;

/** What is done in one transaction. It may be run again when the transaction had to be, so it keeps nothing in between. */
interface SqlWork<S, T> {

    T run(S session) throws SQLException;
}
