package io.redrive.jdbc;

/** The statements about runs, whole. */
final class SqliteRunSql {

    private static final String RUN_COLUMNS = """
            SELECT runs.number, id, pipeline, stages, origin, status, taken, succeeded, skipped, dead, source_ended,
                source_size, fingerprint, reader, created_at, updated_at, ended_at,
                (SELECT count(*) FROM run_workers WHERE run_workers.run = runs.number) AS workers
            FROM runs
            """;

    static final String CREATE_RUN = """
            INSERT INTO runs (id, pipeline, stages, origin, status, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, 'running', ?5, ?5)
            ON CONFLICT (id) DO NOTHING
            """;

    static final String FIND_RUN = RUN_COLUMNS + "WHERE id = ?1";

    static final String LIST_RUNS =
            RUN_COLUMNS + "WHERE ?1 IS NULL OR pipeline = ?1 ORDER BY created_at DESC, number DESC LIMIT ?2 + 0";

    static final String RUN_NUMBER = "SELECT number FROM runs WHERE id = ?1";

    static final String RESUME_RUN =
            "UPDATE runs SET status = 'running', ended_at = NULL, updated_at = ?2 WHERE number = ?1";

    static final String END_RUN = "UPDATE runs SET status = ?2, ended_at = ?3, updated_at = ?3 WHERE number = ?1";

    static final String BECOME_READER = "UPDATE runs SET reader = ?2 WHERE number = ?1 AND reader = 0";

    static final String COUNT_SAMPLES = """
            UPDATE runs
            SET succeeded = succeeded + ?2, skipped = skipped + ?3, dead = dead + ?4, updated_at = ?5
            WHERE number = ?1
            """;

    static final String TAKEN = """
            UPDATE runs SET taken = ?2, fingerprint = ?3, source_ended = ?4, source_size = ?5 WHERE number = ?1
            """;

    static final String ADD_WORKER = "INSERT INTO run_workers (token, run, node, until_at) VALUES (?1, ?2, ?3, ?4)";

    static final String WORKER = "SELECT commits, claims FROM run_workers WHERE token = ?1";

    static final String COUNT_CLAIM = "UPDATE run_workers SET claims = ?2 WHERE token = ?1";

    static final String COUNT_COMMIT = "UPDATE run_workers SET commits = ?2 WHERE token = ?1";

    static final String EXTEND_WORKER = "UPDATE run_workers SET until_at = ?2 WHERE token = ?1";

    static final String EXPIRED_WORKERS = "SELECT token FROM run_workers WHERE run = ?1 AND until_at < ?2";

    static final String WORKERS = "SELECT token FROM run_workers WHERE run = ?1";

    static final String REMOVE_WORKER = "DELETE FROM run_workers WHERE token = ?1";

    static final String FREE_SAMPLES = "UPDATE run_samples SET token = NULL WHERE token = ?1";

    static final String NO_READER = "UPDATE runs SET reader = 0 WHERE number = ?1 AND reader = ?2";

    /** Counts no further than the limit, by the index of free samples alone. */
    static final String COUNT_FREE = """
            SELECT count(*) FROM (
                SELECT 1 FROM run_samples WHERE state = 0 AND token IS NULL AND run = ?1 AND due_at <= ?2 LIMIT ?3 + 0)
            """;

    static final String SAMPLE_COLUMNS = """
            SELECT sample, id, state, stage, failed, sequence, first_attempt_at, last_delay, due_at,
                reason, error_type, message, died_at, payload_file, payload
            FROM run_samples
            """;

    static final String FREE = SAMPLE_COLUMNS + """
            WHERE state = 0 AND token IS NULL AND run = ?1 AND due_at <= ?2
            ORDER BY due_at, sample
            LIMIT ?3 + 0
            """;

    static final String PAYLOAD_FILE =
            "SELECT payload_file FROM run_samples WHERE sample = ?1 AND payload_file IS NOT NULL";

    static final String CLAIM = "UPDATE run_samples SET token = ?2, claim = ?3 WHERE sample = ?1";

    static final String CLAIMED =
            SAMPLE_COLUMNS + "WHERE state = 0 AND token = ?1 AND claim = ?2 ORDER BY due_at, sample";

    /** A sample with its end; for most it is the first and only time they are written. */
    static final String ENDED = """
            INSERT INTO run_samples (sample, run, state, stage, sequence, id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (sample) DO UPDATE SET
                state = excluded.state, stage = excluded.stage, sequence = excluded.sequence, token = NULL,
                payload = NULL, payload_file = NULL
            """;

    static final String STORE = """
            INSERT INTO run_samples (
                sample, run, state, stage, sequence, id, token, failed, first_attempt_at, last_delay, due_at,
                reason, error_type, message, died_at, payload_file, payload)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            ON CONFLICT (sample) DO UPDATE SET
                state = excluded.state, stage = excluded.stage, sequence = excluded.sequence, token = excluded.token, claim = 0,
                failed = excluded.failed, first_attempt_at = excluded.first_attempt_at,
                last_delay = excluded.last_delay, due_at = excluded.due_at, reason = excluded.reason,
                error_type = excluded.error_type, message = excluded.message, died_at = excluded.died_at,
                payload_file = excluded.payload_file, payload = excluded.payload
            """;

    /** The payload stays as it is. */
    static final String CHANGE = """
            UPDATE run_samples SET
                state = ?3, stage = ?4, sequence = ?5, token = ?7, claim = 0, failed = ?8, first_attempt_at = ?9, last_delay = ?10,
                due_at = ?11, reason = ?12, error_type = ?13, message = ?14, died_at = ?15
            WHERE sample = ?1 AND run = ?2 AND id = ?6
            """;

    static final String RECORD_ATTEMPT = """
            INSERT INTO run_attempts (
                sample, sequence, stage, attempt, status, at, duration, delay, error_type, message)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """;

    static final String ADD_STAGE =
            "INSERT INTO run_stages (run, stage, hash) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";

    static final String STAGE_NUMBER = "SELECT number FROM run_stages WHERE run = ?1 AND stage = ?2 AND hash = ?3";

    static final String SINK_POSITION = "SELECT position FROM run_sinks WHERE run = ?1 AND sink = ?2";

    static final String SET_SINK_POSITION = """
            INSERT INTO run_sinks (run, sink, position) VALUES (?1, ?2, ?3)
            ON CONFLICT (run, sink) DO UPDATE SET position = excluded.position
            """;

    private SqliteRunSql() {}
}
