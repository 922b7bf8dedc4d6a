package io.redrive.bench;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.builder.SimpleJobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.JdbcJobRepositoryFactoryBean;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.builder.ChunkOrientedStepBuilder;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ItemProcessor;
import org.springframework.batch.infrastructure.item.ItemReader;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.database.builder.JdbcBatchItemWriterBuilder;
import org.springframework.batch.infrastructure.item.database.builder.JdbcCursorItemReaderBuilder;
import org.springframework.batch.infrastructure.item.support.CompositeItemProcessor;
import org.springframework.batch.infrastructure.item.support.CompositeItemWriter;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The same work in Spring Batch: chunk-oriented steps with retry and skip, and a job repository on the same database. */
final class BatchPeer {

    private static final String ADD_AUDIT = """
            INSERT INTO peer_audit (sample, sequence, stage, attempt, status, at, duration, delay)
            VALUES (?, ?, ?, 1, 0, ?, ?, 0)
            """;

    private final DataSource source;
    private final JdbcTransactionManager transactions;
    private final JobRepository repository;
    private final JdbcTemplate jdbc;
    private final String tableEnd;
    private int jobs;

    /** How the stages become steps of a job. */
    enum Shape {
        /**
         * A step for each stage, with the results of each stage in a table, as needed for a retry or restart to begin at the
         * failed stage. Writes a line of audit trail for each sample and stage.
         */
        STEP_PER_STAGE,
        /** All stages in a single step, with the audit trail: a retry repeats all stages. */
        ONE_STEP_AUDITED,
        /** All stages in a single step, without an audit trail. */
        ONE_STEP
    }

    private record Numbered(long number, String value) {}

    private BatchPeer(DataSource source, String dialect, String tableEnd) throws Exception {
        this.source = source;
        this.tableEnd = tableEnd;
        transactions = new JdbcTransactionManager(source);
        jdbc = new JdbcTemplate(source);
        new ResourceDatabasePopulator(
                        new ClassPathResource("org/springframework/batch/core/schema-" + dialect + ".sql"))
                .execute(source);
        JdbcJobRepositoryFactoryBean factory = new JdbcJobRepositoryFactoryBean();
        factory.setDataSource(source);
        factory.setTransactionManager(transactions);
        factory.afterPropertiesSet();
        repository = factory.getObject();
    }

    static BatchPeer onSqlite(DataSource source) throws Exception {
        return new BatchPeer(source, "sqlite", " WITHOUT ROWID");
    }

    static BatchPeer onPostgres(DataSource source) throws Exception {
        return new BatchPeer(source, "postgresql", "");
    }

    /** Samples per second of a job, from start to end. */
    double samplesPerSecond(Shape shape, int samples, int chunk) throws Exception {
        jobs++;
        createTables();
        Job job = job(steps(shape, samples, chunk));
        TaskExecutorJobOperator operator = new TaskExecutorJobOperator();
        operator.setJobRepository(repository);
        operator.setJobRegistry(new MapJobRegistry());
        operator.setTaskExecutor(new SyncTaskExecutor());
        operator.afterPropertiesSet();
        long began = System.nanoTime();
        JobExecution end = operator.start(job, new JobParameters());
        double seconds = (System.nanoTime() - began) / 1e9;
        for (StepExecution step : end.getStepExecutions()) {
            if (step.getWriteCount() != samples) {
                throw new IllegalStateException("not all samples are through: " + end);
            }
        }
        return samples / seconds;
    }

    private void createTables() {
        jdbc.execute("DROP TABLE IF EXISTS peer_audit");
        jdbc.execute("""
                CREATE TABLE peer_audit (sample BIGINT NOT NULL, sequence INTEGER NOT NULL, stage INTEGER NOT NULL,
                    attempt INTEGER NOT NULL, status INTEGER NOT NULL, at BIGINT NOT NULL, duration BIGINT NOT NULL,
                    delay BIGINT NOT NULL, error_type TEXT, message TEXT, PRIMARY KEY (sample, sequence))""" + tableEnd);
        for (int stage = 1; stage < ItemLoad.STAGES; stage++) {
            jdbc.execute("DROP TABLE IF EXISTS peer_result_" + stage);
            jdbc.execute("CREATE TABLE peer_result_" + stage + " (number INTEGER PRIMARY KEY, value TEXT NOT NULL)");
        }
    }

    private Job job(List<Step> steps) {
        SimpleJobBuilder job = new JobBuilder("job-" + jobs, repository).start(steps.get(0));
        for (Step step : steps.subList(1, steps.size())) {
            job = job.next(step);
        }
        return job.build();
    }

    private List<Step> steps(Shape shape, int samples, int chunk) {
        ItemProcessor<Numbered, Numbered> nothing = value -> value;
        if (shape != Shape.STEP_PER_STAGE) {
            ItemProcessor<Numbered, Numbered> all = new CompositeItemProcessor<>(List.of(nothing, nothing, nothing));
            ItemWriter<Numbered> writer = shape == Shape.ONE_STEP ? items -> {} : auditWriter(1, ItemLoad.STAGES);
            return List.of(step(1, chunk, samples)
                    .reader(generated(samples))
                    .processor(all)
                    .writer(writer)
                    .build());
        }
        List<Step> steps = new ArrayList<>();
        for (int stage = 1; stage <= ItemLoad.STAGES; stage++) {
            ItemReader<Numbered> reader = stage == 1 ? generated(samples) : results(stage - 1);
            ItemWriter<Numbered> audit = auditWriter(stage, stage);
            ItemWriter<Numbered> writer =
                    stage == ItemLoad.STAGES ? audit : new CompositeItemWriter<>(List.of(resultWriter(stage), audit));
            steps.add(step(stage, chunk, samples)
                    .reader(reader)
                    .processor(nothing)
                    .writer(writer)
                    .build());
        }
        return steps;
    }

    private ChunkOrientedStepBuilder<Numbered, Numbered> step(int number, int chunk, int samples) {
        return new StepBuilder("step-" + number, repository)
                .<Numbered, Numbered>chunk(chunk)
                .transactionManager(transactions)
                .faultTolerant()
                .retry(RuntimeException.class)
                .retryLimit(2)
                .skip(RuntimeException.class)
                .skipLimit(samples / 10);
    }

    private static ItemReader<Numbered> generated(int samples) {
        Iterator<Numbered> all = IntStream.range(0, samples)
                .mapToObj(number -> new Numbered(number, ItemLoad.sample(number)))
                .iterator();
        return () -> all.hasNext() ? all.next() : null;
    }

    private ItemReader<Numbered> results(int stage) {
        return new JdbcCursorItemReaderBuilder<Numbered>()
                .name("results-" + stage)
                .dataSource(source)
                .sql("SELECT number, value FROM peer_result_" + stage + " ORDER BY number")
                .rowMapper((row, i) -> new Numbered(row.getLong(1), row.getString(2)))
                .verifyCursorPosition(false)
                .connectionAutoCommit(true)
                .fetchSize(1_000)
                .build();
    }

    private ItemWriter<Numbered> resultWriter(int stage) {
        return new JdbcBatchItemWriterBuilder<Numbered>()
                .dataSource(source)
                .sql("INSERT INTO peer_result_" + stage + " (number, value) VALUES (?, ?)")
                .itemPreparedStatementSetter((item, row) -> {
                    row.setLong(1, item.number());
                    row.setString(2, item.value());
                })
                .assertUpdates(false)
                .build();
    }

    /** A line for each sample and each of these stages, in the chunk's transaction. */
    private ItemWriter<Numbered> auditWriter(int first, int last) {
        return items -> {
            List<Line> lines = new ArrayList<>();
            for (Numbered item : items) {
                for (int stage = first; stage <= last; stage++) {
                    lines.add(new Line(item.number(), stage));
                }
            }
            jdbc.batchUpdate(ADD_AUDIT, lines, lines.size(), BatchPeer::bind);
        };
    }

    private record Line(long sample, int stage) {}

    private static void bind(PreparedStatement row, Line line) throws SQLException {
        row.setLong(1, line.sample());
        row.setInt(2, line.stage());
        row.setInt(3, line.stage());
        row.setLong(4, System.currentTimeMillis());
        row.setLong(5, 0);
    }
}
