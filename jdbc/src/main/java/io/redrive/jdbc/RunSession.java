package io.redrive.jdbc;

import java.sql.SQLException;
import java.time.Instant;

/** A transaction that may change runs: what each dialect does in its own way. */
interface RunSession extends SqlSession {

    /** A new token for a worker, higher than all before. */
    long nextToken() throws SQLException;

    /** The time that counts for leases and due times: the caller's, or the server's where there is one. */
    Instant now(Instant callers) throws SQLException;

    /** Writes the samples and attempts of a commit. */
    void write(RunWrites writes) throws SQLException;
}
