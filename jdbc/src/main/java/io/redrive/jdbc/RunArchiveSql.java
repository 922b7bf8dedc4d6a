package io.redrive.jdbc;

import java.util.List;

/** What people ask about runs, as whole statements that both dialects understand. */
final class RunArchiveSql {

    static final String LIST_RUNS = RunSql.RUN_COLUMNS
            + "WHERE (CAST(? AS text) IS NULL OR pipeline = ?) ORDER BY created_at DESC, number DESC LIMIT ? + 0";

    static final String WORKERS = "SELECT token, node, until_at FROM redrive.run_workers WHERE run = ? ORDER BY token";

    static final String SAMPLE = RunSql.SAMPLE_COLUMNS + "WHERE sample = ?";

    static final String SAMPLE_BY_ID =
            RunSql.SAMPLE_COLUMNS + "WHERE sample BETWEEN ? AND ? AND id = ? ORDER BY sample LIMIT 1";

    static final String ATTEMPTS = """
            SELECT sequence, run_stages.stage, hash, attempt, status, at, duration, delay, error_type, message
            FROM redrive.run_attempts
            JOIN redrive.run_stages ON run_stages.number = run_attempts.stage
            WHERE sample = ?
            ORDER BY sequence
            """;

    /** One walk along the audit trail: the lines of a sample lie together. */
    static final String RETRIES = """
            SELECT retries, count(*)
            FROM (
                SELECT run_attempts.sample, count(*) FILTER (WHERE run_attempts.status = 1) AS retries
                FROM redrive.run_attempts
                JOIN redrive.run_samples ON run_samples.sample = run_attempts.sample AND run_samples.state <> 0
                WHERE run_attempts.sample BETWEEN ? AND ?
                GROUP BY run_attempts.sample) AS counted
            GROUP BY retries
            ORDER BY retries
            """;

    static final String ERRORS = """
            SELECT run_stages.stage, error_type, min(message), count(*) AS attempts,
                count(*) FILTER (WHERE status = 2) AS dead
            FROM redrive.run_attempts
            JOIN redrive.run_stages ON run_stages.number = run_attempts.stage
            WHERE sample BETWEEN ? AND ? AND status IN (1, 2)
            GROUP BY run_stages.stage, error_type
            ORDER BY attempts DESC, run_stages.stage, error_type
            LIMIT ? + 0
            """;

    static final String STAGES = """
            SELECT run_stages.stage, count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status = 1),
                count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE status = 3), sum(duration)
            FROM redrive.run_attempts
            JOIN redrive.run_stages ON run_stages.number = run_attempts.stage
            WHERE sample BETWEEN ? AND ?
            GROUP BY run_stages.stage
            """;

    /** Completed by conditions. */
    static final String DEAD = """
            SELECT runs.id AS run_id, runs.pipeline, runs.stages, run_samples.sample, run_samples.id, state, stage, failed,
                sequence, first_attempt_at, last_delay, due_at, reason, error_type, message, died_at, payload_file,
                payload
            FROM redrive.run_samples
            JOIN redrive.runs ON runs.number = run_samples.run
            WHERE state = 3 AND %s
            ORDER BY runs.id, sample
            LIMIT ? + 0
            """;

    /** Those whose payload could not be kept stay dead. Completed by conditions and by what locks the rows. */
    static final String REVIVABLE = """
            SELECT run_samples.sample
            FROM redrive.run_samples
            JOIN redrive.runs ON runs.number = run_samples.run
            WHERE state = 3 AND (payload IS NOT NULL OR payload_file IS NOT NULL) AND %s
            ORDER BY run_samples.sample
            %s
            """;

    /** All attempts are before them again. */
    static final String REVIVE = """
            UPDATE redrive.run_samples SET
                state = 0, token = NULL, claim = 0, failed = 0, first_attempt_at = NULL, last_delay = 0, due_at = 0,
                reason = NULL, error_type = NULL, message = NULL, died_at = NULL
            WHERE sample = ?
            """;

    static final String COUNT_REVIVED = """
            UPDATE redrive.runs SET dead = dead - ?, updated_at = ?,
                ended_at = CASE status WHEN 'running' THEN ended_at ELSE ? END,
                status = CASE status WHEN 'running' THEN status ELSE 'stopped' END
            WHERE number = ?
            """;

    static final String CANCEL = """
            UPDATE redrive.runs SET status = 'cancelled', ended_at = ?, updated_at = ?
            WHERE id = ? AND status NOT IN ('completed', 'partial_success', 'failed', 'cancelled')
            """;

    /** Takes the first and the last key of the run's samples. */
    static final String DELETE_SAMPLES = "DELETE FROM redrive.run_samples WHERE sample BETWEEN ? AND ?";

    /** Each takes the run's number. */
    static final List<String> DELETE_BY_RUN = List.of(
            "DELETE FROM redrive.run_stages WHERE run = ?",
            "DELETE FROM redrive.run_sinks WHERE run = ?",
            "DELETE FROM redrive.runs WHERE number = ?");

    private RunArchiveSql() {}
}
