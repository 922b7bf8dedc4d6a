package io.redrive.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.BackgroundJob;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The job queues people use today, on the same embedded database with the same durability (WAL, synchronous FULL), jobs that do nothing, from the first enqueue to the last one done.
 */
final class JobPeers {

    private static final int WORKERS = 8;
    private static final long GIVE_UP_AFTER_SECONDS = 300;

    private JobPeers() {}

    static double dbScheduler(Path file, int count) throws Exception {
        HikariDataSource dataSource = pooled(file);
        execute(
                dataSource,
                """
                CREATE TABLE scheduled_tasks (
                  task_name TEXT NOT NULL, task_instance TEXT NOT NULL, task_data BLOB,
                  execution_time TIMESTAMP NOT NULL, picked BOOLEAN NOT NULL, picked_by TEXT,
                  last_success TIMESTAMP, last_failure TIMESTAMP, consecutive_failures INT,
                  last_heartbeat TIMESTAMP, version BIGINT NOT NULL, priority SMALLINT,
                  PRIMARY KEY (task_name, task_instance))""",
                "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
                "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
        CountDownLatch done = new CountDownLatch(count);
        TaskDescriptor<byte[]> bench = TaskDescriptor.of("bench", byte[].class);
        OneTimeTask<byte[]> task = Tasks.oneTime(bench).execute((instance, context) -> done.countDown());
        Scheduler scheduler = Scheduler.create(dataSource, task)
                .threads(WORKERS)
                .pollingInterval(Duration.ofMillis(100))
                .pollUsingFetch(4, 10)
                .enableImmediateExecution()
                .build();
        scheduler.start();
        try {
            long start = System.nanoTime();
            byte[] payload = new byte[EventLoad.PAYLOAD];
            for (int i = 0; i < count; i += EventLoad.BULK) {
                List<SchedulableInstance<?>> bulk = new ArrayList<>();
                for (int k = i; k < Math.min(count, i + EventLoad.BULK); k++) {
                    bulk.add(bench.instance("job-" + k).data(payload).scheduledTo(Instant.now()));
                }
                scheduler.scheduleBatch(bulk);
            }
            await("db-scheduler", done);
            return count / ((System.nanoTime() - start) / 1e9);
        } finally {
            scheduler.stop();
            dataSource.close();
        }
    }

    static double jobRunr(Path file, int count) throws Exception {
        HikariDataSource dataSource = pooled(file);
        CountDownLatch done = new CountDownLatch(count);
        NoOpJob.countDown(done);
        JobRunr.configure()
                .useStorageProvider(SqlStorageProviderFactory.using(dataSource))
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(Duration.ofSeconds(5))
                        .andWorkerCount(WORKERS))
                .initialize();
        try {
            String payload = "x".repeat(EventLoad.PAYLOAD);
            long start = System.nanoTime();
            BackgroundJob.enqueue(IntStream.range(0, count).boxed(), i -> NoOpJob.run(payload));
            await("JobRunr", done);
            return count / ((System.nanoTime() - start) / 1e9);
        } finally {
            JobRunr.destroy();
            dataSource.close();
        }
    }

    private static SQLiteDataSource sqlite(Path file) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(30_000);
        // With SQLite's own default, transactions that read first fail when they come to write, and are begun again.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource dataSource = new SQLiteDataSource(config);
        dataSource.setUrl("jdbc:sqlite:" + file);
        return dataSource;
    }

    /** Opening a SQLite file costs more than a job: both are far better with a pool. */
    private static HikariDataSource pooled(Path file) {
        HikariConfig pool = new HikariConfig();
        pool.setDataSource(sqlite(file));
        pool.setMaximumPoolSize(WORKERS / 2);
        return new HikariDataSource(pool);
    }

    private static void execute(DataSource dataSource, String... statements) throws SQLException {
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
}
