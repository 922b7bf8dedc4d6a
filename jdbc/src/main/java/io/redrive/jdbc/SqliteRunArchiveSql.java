package io.redrive.jdbc;

import java.util.List;

/** What people ask about runs, as whole statements. */
final class SqliteRunArchiveSql {

    static final RunConditions.Dialect DIALECT = new RunConditions.Dialect(
            "EXISTS (SELECT 1 FROM json_each(runs.stages) WHERE key = run_samples.stage AND value = ?)",
            "run_samples.sample % 1099511627776 > ?");

    static final String WORKERS = "SELECT token, node, until_at FROM run_workers WHERE run = ?1 ORDER BY token";

    static final String SAMPLE = SqliteRunSql.SAMPLE_COLUMNS + "WHERE sample = ?1";

    static final String SAMPLE_BY_ID =
            SqliteRunSql.SAMPLE_COLUMNS + "WHERE sample BETWEEN ?1 AND ?2 AND id = ?3 ORDER BY sample LIMIT 1";

    static final String ATTEMPTS = """
            SELECT sequence, run_stages.stage, hash, attempt, status, at, duration, delay, error_type, message
            FROM run_attempts
            JOIN run_stages ON run_stages.number = run_attempts.stage
            WHERE sample = ?1
            ORDER BY sequence
            """;

    /** One walk along the audit trail: the lines of a sample lie together. */
    static final String RETRIES = """
            SELECT retries, count(*)
            FROM (
                SELECT run_attempts.sample, sum(run_attempts.status = 1) AS retries
                FROM run_attempts
                JOIN run_samples ON run_samples.sample = run_attempts.sample AND run_samples.state <> 0
                WHERE run_attempts.sample BETWEEN ?1 AND ?2
                GROUP BY run_attempts.sample)
            GROUP BY retries
            ORDER BY retries
            """;

    /** With one min(), SQLite takes the other columns from the row that has it: the message of the first. */
    static final String ERRORS = """
            SELECT run_stages.stage, error_type, message, count(*) AS attempts, sum(status = 2) AS dead,
                min(sample * 1000 + sequence)
            FROM run_attempts
            JOIN run_stages ON run_stages.number = run_attempts.stage
            WHERE sample BETWEEN ?1 AND ?2 AND status IN (1, 2)
            GROUP BY run_stages.stage, error_type
            ORDER BY attempts DESC, run_stages.stage, error_type
            LIMIT ?3 + 0
            """;

    static final String STAGES = """
            SELECT run_stages.stage, sum(status = 0), sum(status = 1), sum(status = 2), sum(status = 3), sum(duration)
            FROM run_attempts
            JOIN run_stages ON run_stages.number = run_attempts.stage
            WHERE sample BETWEEN ?1 AND ?2
            GROUP BY run_stages.stage
            """;

    /** Completed by conditions; the index of dead samples keeps it short. */
    static final String DEAD = """
            SELECT runs.id AS run_id, runs.pipeline, runs.stages, run_samples.sample, run_samples.id, state, stage, failed,
                sequence, first_attempt_at, last_delay, due_at, reason, error_type, message, died_at, payload_file,
                payload
            FROM run_samples INDEXED BY run_samples_dead
            JOIN runs ON runs.number = run_samples.run
            WHERE state = 3 AND %s
            ORDER BY runs.id, sample
            LIMIT ? + 0
            """;

    /** Those whose payload could not be kept stay dead. */
    static final String REVIVABLE = """
            SELECT run_samples.sample
            FROM run_samples INDEXED BY run_samples_dead
            JOIN runs ON runs.number = run_samples.run
            WHERE state = 3 AND (payload IS NOT NULL OR payload_file IS NOT NULL) AND %s
            """;

    /** All attempts are before them again. */
    static final String REVIVE = """
            UPDATE run_samples SET
                state = 0, token = NULL, failed = 0, first_attempt_at = NULL, last_delay = 0, due_at = 0, reason = NULL,
                error_type = NULL, message = NULL, died_at = NULL
            WHERE sample = ?1
            """;

    static final String COUNT_REVIVED = """
            UPDATE runs SET dead = dead - ?2, updated_at = ?3,
                ended_at = CASE status WHEN 'running' THEN ended_at ELSE ?3 END,
                status = CASE status WHEN 'running' THEN status ELSE 'stopped' END
            WHERE number = ?1
            """;

    static final String CANCEL = """
            UPDATE runs SET status = 'cancelled', ended_at = ?2, updated_at = ?2
            WHERE id = ?1 AND status NOT IN ('completed', 'partial_success', 'failed', 'cancelled')
            """;

    /** Each takes the first and the last key of the run's samples, and its number. */
    static final List<String> DELETE_ALL = List.of(
            "DELETE FROM run_attempts WHERE sample BETWEEN ?1 AND ?2 AND ?3 > 0",
            "DELETE FROM run_samples WHERE sample BETWEEN ?1 AND ?2 AND ?3 > 0",
            "DELETE FROM run_stages WHERE run = ?3 AND ?1 < ?2",
            "DELETE FROM run_sinks WHERE run = ?3 AND ?1 < ?2",
            "DELETE FROM runs WHERE number = ?3 AND ?1 < ?2");

    private SqliteRunArchiveSql() {}
}
