package io.redrive.jdbc;

import java.util.List;

/**
 * The whole statements of a run archive, for both dialects. %1$s is {@link Dialect#allSamples}, %2$s is {@link
 * Dialect#sampleIsBetween}.
 */
final class RunArchiveSql {

    static final String LIST_RUNS = RunSql.RUN_COLUMNS
            + "WHERE (CAST(? AS text) IS NULL OR pipeline = ?)"
            + " AND (CAST(? AS text) IS NULL OR (created_at, number) < (SELECT created_at, number FROM redrive.runs WHERE id = ?))"
            + " ORDER BY created_at DESC, number DESC LIMIT ? + 0";

    static final String WORKERS = "SELECT token, node, until_at FROM redrive.run_workers WHERE run = ? ORDER BY token";

    static final String SAMPLES = RunSql.SAMPLE_COLUMNS + "FROM %1$s WHERE %2$s";

    static final String SAMPLE_BY_ID = SAMPLES + " AND id = ? ORDER BY sample LIMIT 1";

    static final String ATTEMPTS = """
        SELECT sequence, run_stages.stage, hash, attempt, status, at, duration, delay, error_type, message
        FROM redrive.run_trail
        JOIN redrive.run_stages ON run_stages.number = run_trail.stage
        WHERE %2$s
        ORDER BY sequence
        """;

    /**
     * Counts retries of ended samples. Each sample has a first line in the trail; of later lines only retries are read.
     */
    static final String RETRIES = """
        SELECT retries, count(*)
        FROM (
            SELECT lines.sample, count(*) FILTER (WHERE status = 1) AS retries
            FROM (SELECT sample, status FROM redrive.run_trail WHERE %2$s AND (sequence = 1 OR status = 1)) AS lines
            LEFT JOIN redrive.run_samples AS unfinished ON unfinished.sample = lines.sample AND unfinished.state = 0
            WHERE unfinished.sample IS NULL
            GROUP BY lines.sample) AS counted
        GROUP BY retries
        ORDER BY retries
        """;

    static final String ERRORS = """
        SELECT run_stages.stage, error_type, min(message), count(*) AS attempts
        FROM redrive.run_trail
        JOIN redrive.run_stages ON run_stages.number = run_trail.stage
        WHERE %2$s AND status IN (1, 2)
        GROUP BY run_stages.stage, error_type
        ORDER BY attempts DESC, run_stages.stage, error_type
        LIMIT ? + 0
        """;

    /** Counts dead samples by stage and error type. */
    static final String DEAD_OF = """
        SELECT stage, error_type, count(*)
        FROM redrive.run_samples
        WHERE state = 3 AND sample BETWEEN ? AND ?
        GROUP BY stage, error_type
        """;

    static final String STAGES = """
        SELECT name, count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status = 1),
            count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE status = 3), sum(duration),
            min(duration) FILTER (WHERE place * 100 >= lines * 50),
            min(duration) FILTER (WHERE place * 100 >= lines * 95),
            min(duration) FILTER (WHERE place * 100 >= lines * 99)
        FROM (
            SELECT run_stages.stage AS name, status, duration,
                row_number() OVER (PARTITION BY run_stages.stage ORDER BY duration) AS place,
                count(*) OVER (PARTITION BY run_stages.stage) AS lines
            FROM redrive.run_trail
            JOIN redrive.run_stages ON run_stages.number = run_trail.stage
            WHERE %2$s) AS placed
        GROUP BY name
        """;

    static final String COSTS = "SELECT stage, unit, price, reported, estimated FROM redrive.run_costs WHERE run = ?";

    /**
     * Counts ended samples: each skip, each final failure, and each success of the last stage. %3$d is the interval.
     */
    static final String THROUGHPUT = """
        SELECT ended / %3$d * %3$d AS began, count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status = 3),
            count(*) FILTER (WHERE status = 2)
        FROM (
            SELECT at + duration / 1000 AS ended, status
            FROM redrive.run_trail
            JOIN redrive.run_stages ON run_stages.number = run_trail.stage
            WHERE %2$s AND (status IN (2, 3) OR (status = 0 AND run_stages.stage = ?))) AS ends
        GROUP BY began
        ORDER BY began
        """;

    /** %s is a {@link DeadSampleConditions}. Sorts keys alone, not payloads. */
    static final String DEAD = """
        SELECT runs.id AS run_id, runs.pipeline, runs.stages, run_samples.sample, run_samples.id, state, stage, failed,
            sequence, first_attempt_at, last_delay, due_at, reason, error_type, message, died_at, payload_file,
            payload, crashed
        FROM redrive.run_samples
        JOIN redrive.runs ON runs.number = run_samples.run
        WHERE run_samples.sample IN (
            SELECT run_samples.sample
            FROM redrive.run_samples
            JOIN redrive.runs ON runs.number = run_samples.run
            WHERE state = 3 AND %s
            ORDER BY died_at DESC, run_samples.sample DESC
            LIMIT ? + 0)
        ORDER BY died_at DESC, run_samples.sample DESC
        """;

    /**
     * Leaves out samples whose payload could not be stored. The first %s is a {@link DeadSampleConditions}, the second
     * locks the rows.
     */
    static final String REVIVABLE = """
        SELECT run_samples.sample
        FROM redrive.run_samples
        JOIN redrive.runs ON runs.number = run_samples.run
        WHERE state = 3 AND (payload IS NOT NULL OR payload_file IS NOT NULL) AND %s
        ORDER BY run_samples.sample
        %s
        """;

    /** Gives the sample all its attempts again. */
    static final String REVIVE = """
        UPDATE redrive.run_samples SET
            state = 0, token = NULL, claim = 0, failed = 0, first_attempt_at = NULL, last_delay = 0, due_at = 0,
            crashed = 0, begun = 0, reason = NULL, error_type = NULL, message = NULL, died_at = NULL
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

    /** Each takes the run's number. */
    static final List<String> DELETE_BY_RUN = List.of(
            "DELETE FROM redrive.run_stages WHERE run = ?",
            "DELETE FROM redrive.run_sinks WHERE run = ?",
            "DELETE FROM redrive.run_costs WHERE run = ?",
            "DELETE FROM redrive.runs WHERE number = ?");

    private RunArchiveSql() {}
}
