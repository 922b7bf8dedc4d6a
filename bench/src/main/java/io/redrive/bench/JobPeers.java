package io.redrive.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.scheduling.BackgroundJob;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Widely used job queues, on the same database with the same durability as Redrive, with empty jobs. */
final class JobPeers implements AutoCloseable {

    private static final long GIVE_UP_AFTER_SECONDS = 300;
    private static final TaskDescriptor<byte[]> BENCH = TaskDescriptor.of("bench", byte[].class);
    private static final String NAME = "job-";

    private final HikariDataSource dataSource;
    private final String bytes;
    private final int workers;
    private final UnaryOperator<SchedulerBuilder> polling;

    private JobPeers(HikariConfig pool, String bytes, int workers, UnaryOperator<SchedulerBuilder> polling) {
        this.workers = workers;
        dataSource = new HikariDataSource(pool);
        this.bytes = bytes;
        this.polling = polling;
    }

    /** WAL, synchronous FULL. Opening a SQLite file costs more than a job: both are far better with a pool. */
    static JobPeers onSqlite(Path file) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(30_000);
        // With SQLite's default, transactions with a read before the first write fail at the write and are repeated.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource sqlite = new SQLiteDataSource(config);
        sqlite.setUrl("jdbc:sqlite:" + file);
        HikariConfig pool = new HikariConfig();
        pool.setDataSource(sqlite);
        pool.setMaximumPoolSize(4);
        return new JobPeers(pool, "BLOB", 8, scheduler -> scheduler.pollUsingFetch(4, 10));
    }

    /**
     * db-scheduler recommends lock-and-fetch for high rates on PostgreSQL. Both peers complete each job in its own
     * transaction, and profit from many connections whose commits share a write to the disk.
     */
    static JobPeers onPostgres(String url) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(24);
        return new JobPeers(pool, "BYTEA", 32, scheduler -> scheduler.pollUsingLockAndFetch(4, 20));
    }

    /** Whether the clock runs from the first job enqueued, or all jobs wait when the workers start. */
    enum Clock {
        FROM_FIRST_JOB,
        FROM_START_OF_WORKERS
    }

    double dbScheduler(int count, Clock clock) throws Exception {
        createTasks();
        CountDownLatch done = new CountDownLatch(count);
        OneTimeTask<byte[]> task = Tasks.oneTime(BENCH).execute((instance, context) -> done.countDown());
        Scheduler scheduler = scheduler(task);
        try {
            return rate(
                    count,
                    clock,
                    scheduler::start,
                    () -> schedule(scheduler, 0, count),
                    () -> await("db-scheduler", done));
        } finally {
            scheduler.stop();
        }
    }

    /** Figures of latency by metric, as {@link EventLoad#latencies} takes them. */
    Map<String, Double> dbSchedulerLatencies(double perSecond, double seconds) throws Exception {
        createTasks();
        OpenLoad load = new OpenLoad(perSecond, seconds);
        OneTimeTask<byte[]> task = Tasks.oneTime(BENCH)
                .execute((instance, context) ->
                        load.started(Integer.parseInt(instance.getId().substring(NAME.length()))));
        Scheduler scheduler = scheduler(task);
        scheduler.start();
        try {
            return EventLoad.percentiles(load.latencies((from, to) -> schedule(scheduler, from, to)));
        } finally {
            scheduler.stop();
        }
    }

    private Scheduler scheduler(OneTimeTask<byte[]> task) {
        return polling.apply(Scheduler.create(dataSource, task)
                        .threads(workers)
                        .pollingInterval(Duration.ofMillis(100))
                        .enableImmediateExecution())
                .build();
    }

    private void createTasks() throws SQLException {
        execute(
                "DROP TABLE IF EXISTS scheduled_tasks",
                """
                CREATE TABLE scheduled_tasks (
                  task_name TEXT NOT NULL, task_instance TEXT NOT NULL, task_data %s,
                  execution_time TIMESTAMP NOT NULL, picked BOOLEAN NOT NULL, picked_by TEXT,
                  last_success TIMESTAMP, last_failure TIMESTAMP, consecutive_failures INT,
                  last_heartbeat TIMESTAMP, version BIGINT NOT NULL, priority SMALLINT,
                  PRIMARY KEY (task_name, task_instance))""".formatted(bytes),
                "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
                "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    }

    private static void schedule(Scheduler scheduler, int first, int end) {
        byte[] payload = new byte[EventLoad.PAYLOAD];
        for (int i = first; i < end; i += EventLoad.BULK) {
            List<SchedulableInstance<?>> bulk = new ArrayList<>();
            for (int k = i; k < Math.min(end, i + EventLoad.BULK); k++) {
                bulk.add(BENCH.instance(NAME + k).data(payload).scheduledTo(Instant.now()));
            }
            scheduler.scheduleBatch(bulk);
        }
    }

    double jobRunr(int count, Clock clock) throws Exception {
        CountDownLatch done = new CountDownLatch(count);
        NoOpJob.countDown(done);
        JobRunrConfiguration configuration =
                JobRunr.configure().useStorageProvider(SqlStorageProviderFactory.using(dataSource));
        String payload = "x".repeat(EventLoad.PAYLOAD);
        try {
            // Initializing creates the scheduler of jobs, even before a background server works.
            configuration.initialize();
            return rate(
                    count,
                    clock,
                    () -> configuration
                            .useBackgroundJobServer(
                                    BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                                            .andPollInterval(Duration.ofSeconds(5))
                                            .andWorkerCount(workers))
                            .initialize(),
                    () -> BackgroundJob.enqueue(IntStream.range(0, count).boxed(), i -> NoOpJob.run(payload)),
                    () -> await("JobRunr", done));
        } finally {
            JobRunr.destroy();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static double rate(int count, Clock clock, Step startWorkers, Step enqueue, Step await) throws Exception {
        long start;
        if (clock == Clock.FROM_FIRST_JOB) {
            startWorkers.run();
            start = System.nanoTime();
            enqueue.run();
        } else {
            enqueue.run();
            start = System.nanoTime();
            startWorkers.run();
        }
        await.run();
        return count / ((System.nanoTime() - start) / 1e9);
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static void await(String peer, CountDownLatch done) throws InterruptedException {
        if (!done.await(GIVE_UP_AFTER_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(peer + ": " + done.getCount() + " jobs were not done in time");
        }
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
