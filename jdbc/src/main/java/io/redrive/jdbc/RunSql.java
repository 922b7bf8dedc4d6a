package io.redrive.jdbc;

import io.redrive.items.store.StageSpending;

/** The whole statements on runs common to both dialects. */
final class RunSql {

    static final String RUN_COLUMNS = """
        SELECT runs.number, id, pipeline, stages, origin, status, taken, succeeded, skipped, dead, source_ended,
            source_size, fingerprint, reader, created_at, updated_at, ended_at, pauses, worked, worked_from, crashes,
            (SELECT max(until_at) FROM redrive.run_workers WHERE run_workers.run = runs.number) AS leased_until,
            (SELECT count(*) FROM redrive.run_workers WHERE run_workers.run = runs.number) AS workers
        FROM redrive.runs
        """;

    /** No process works on the run, except perhaps the worker with the token. */
    private static final String NOBODY_ELSE =
            "NOT EXISTS (SELECT 1 FROM redrive.run_workers WHERE run_workers.run = runs.number AND token <> ?)";

    static final String CREATE_RUN = """
        INSERT INTO redrive.runs (id, pipeline, stages, origin, status, created_at, updated_at)
        VALUES (?, ?, ?, ?, 'running', ?, ?)
        ON CONFLICT (id) DO NOTHING
        """;

    static final String FIND_RUN = RUN_COLUMNS + "WHERE id = ?";

    static final String RUN_NUMBER = "SELECT number FROM redrive.runs WHERE id = ?";

    /** The time worked by a crashed process counts up to its last commit. */
    static final String RESUME_RUN = """
        UPDATE redrive.runs SET
            worked = worked + CASE WHEN updated_at > worked_from AND %1$s THEN updated_at - worked_from ELSE 0 END,
            worked_from = CASE WHEN worked_from IS NOT NULL AND NOT %1$s THEN worked_from ELSE ? END,
            status = 'running', ended_at = NULL, updated_at = ?
        WHERE number = ?
        """.formatted(NOBODY_ELSE);

    /** Ends the time worked when the run has no worker left. */
    static final String REST_RUN = """
        UPDATE redrive.runs SET
            worked = worked + CASE WHEN ? > worked_from THEN ? - worked_from ELSE 0 END,
            worked_from = NULL
        WHERE number = ? AND worked_from IS NOT NULL AND %s
        """.formatted(NOBODY_ELSE);

    static final String END_RUN =
            "UPDATE redrive.runs SET status = ?, ended_at = ?, updated_at = ?, crashes = 0 WHERE number = ?";

    /** Ends the run when its source has ended and no sample is pending. */
    static final String FINISH_RUN = """
        UPDATE redrive.runs SET status = ?, ended_at = ?, updated_at = ?, crashes = 0
        WHERE number = ? AND source_ended = 1 AND taken = succeeded + skipped + dead
        """;

    static final String BECOME_READER = "UPDATE redrive.runs SET reader = ? WHERE number = ? AND reader = 0";

    static final String NO_READER = "UPDATE redrive.runs SET reader = 0 WHERE number = ? AND reader = ?";

    static final String COUNT_SAMPLES = """
        UPDATE redrive.runs
        SET succeeded = succeeded + ?, skipped = skipped + ?, dead = dead + ?, updated_at = ?
        WHERE number = ?
        """;

    static final String TAKEN_BEFORE = "SELECT taken FROM redrive.runs WHERE number = ?";

    static final String TAKEN = """
        UPDATE redrive.runs SET taken = ?, fingerprint = ?, source_ended = ?, source_size = ? WHERE number = ?
        """;

    /** Followed by {@link Dialect#forUpdate}. */
    static final String PAUSES = "SELECT pauses FROM redrive.runs WHERE number = ? ";

    static final String SET_PAUSES = "UPDATE redrive.runs SET pauses = ? WHERE number = ?";

    static final String ADD_WORKER = "INSERT INTO redrive.run_workers (token, run, node, until_at) VALUES (?, ?, ?, ?)";

    /**
     * Followed by {@link Dialect#forUpdate}. A worker being recovered as dead waits for that transaction, then is not
     * found.
     */
    static final String WORKER = "SELECT commits, claims FROM redrive.run_workers WHERE token = ? ";

    static final String COUNT_COMMIT = "UPDATE redrive.run_workers SET commits = ? WHERE token = ?";

    static final String COUNT_CLAIM = "UPDATE redrive.run_workers SET claims = ? WHERE token = ?";

    static final String EXTEND_WORKER = "UPDATE redrive.run_workers SET until_at = ? WHERE token = ?";

    static final String EXPIRED_WORKERS = "SELECT token FROM redrive.run_workers WHERE run = ? AND until_at < ? ";

    static final String REMOVE_WORKER = "DELETE FROM redrive.run_workers WHERE token = ?";

    static final String FREE_SAMPLES =
            "UPDATE redrive.run_samples SET token = NULL, claim = 0, begun = 0 WHERE token = ?";

    /** Counts a crash for each sample begun by a crashed process. */
    static final String COUNT_CRASHED = """
        UPDATE redrive.run_samples SET crashed = crashed + 1, begun = 0 WHERE token = ? AND begun = 1
        """;

    static final String COUNT_CRASH = "UPDATE redrive.runs SET crashes = crashes + 1 WHERE number = ?";

    /** Counts up to the limit, reading the index of free samples alone. */
    static final String COUNT_FREE = """
        SELECT count(*) FROM (
            SELECT 1 FROM redrive.run_samples
            WHERE state = 0 AND token IS NULL AND run = ? AND due_at <= ?
            LIMIT ? + 0) AS free
        """;

    static final String SAMPLE_COLUMNS = """
        SELECT sample, id, state, stage, failed, sequence, first_attempt_at, last_delay, due_at,
            reason, error_type, message, died_at, payload_file, payload, crashed
        """;

    private static final String SAMPLES = SAMPLE_COLUMNS + "FROM redrive.run_samples\n";

    /**
     * Followed by {@link Dialect#forUpdateSkipLocked}. The limit is a sum, because SQLite compiles a statement anew
     * each time a bare parameter of LIMIT is bound.
     */
    static final String FREE = SAMPLES + """
        WHERE state = 0 AND token IS NULL AND run = ? AND due_at <= ?
        ORDER BY due_at, sample
        LIMIT ? + 0
        """;

    /**
     * {@link #FREE} in the order of the source. The order is a sum, so that SQLite reads the index of free samples and
     * not all samples.
     */
    static final String FREE_IN_ORDER = FREE.replace("ORDER BY due_at, sample", "ORDER BY sample + 0");

    static final String CLAIM = "UPDATE redrive.run_samples SET token = ?, claim = ? WHERE sample = ?";

    static final String CLAIMED = SAMPLES + "WHERE state = 0 AND token = ? AND claim = ? ORDER BY due_at, sample";

    static final String PAYLOAD_FILE =
            "SELECT payload_file FROM redrive.run_samples WHERE sample = ? AND payload_file IS NOT NULL";

    static final String ADD_STAGE =
            "INSERT INTO redrive.run_stages (run, stage, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

    static final String STAGE_NUMBER = "SELECT number FROM redrive.run_stages WHERE run = ? AND stage = ? AND hash = ?";

    static final String SINK_POSITION = "SELECT position FROM redrive.run_sinks WHERE run = ? AND sink = ?";

    static final String SET_SINK_POSITION = """
        INSERT INTO redrive.run_sinks (run, sink, position) VALUES (?, ?, ?)
        ON CONFLICT (run, sink) DO UPDATE SET position = excluded.position
        """;

    /** A sum stops growing before the next commit could overflow. */
    static final String ADD_COST = """
        INSERT INTO redrive.run_costs (run, stage, unit, price, reported, estimated) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (run, stage, unit, price) DO UPDATE SET
            reported = CASE WHEN run_costs.reported >= %1$d THEN run_costs.reported
                ELSE run_costs.reported + excluded.reported END,
            estimated = CASE WHEN run_costs.estimated >= %1$d THEN run_costs.estimated
                ELSE run_costs.estimated + excluded.estimated END
        """.formatted(StageSpending.MOST);

    private RunSql() {}
}
