package io.redrive.jdbc;

import java.sql.SQLException;
import java.time.Instant;

/** A transaction that may change runs, with the operations that differ between the dialects. */
interface RunSession extends SqlSession {

    /** Returns a new token for a worker, higher than all before. */
    long nextToken() throws SQLException;

    /** The time for leases and due times: the server's, or the caller's in SQLite. */
    Instant now(Instant callers) throws SQLException;

    /** Writes the samples and attempts of a commit. */
    void write(RunWrites writes) throws SQLException;
}
