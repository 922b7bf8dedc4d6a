package io.redrive.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The limit on PostgreSQL: a single table, inserts of 500 rows per statement, two workers claiming and completing 500 rows
 * per transaction, without any safety or feature.
 */
final class PostgresBareLoop {

    private static final int WORKERS = 2;

    private static final String[] SCHEMA = {
        "DROP TABLE IF EXISTS bare_queue",
        """
        CREATE TABLE bare_queue (
          id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state SMALLINT NOT NULL DEFAULT 0,
          due_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(), name TEXT NOT NULL, payload BYTEA NOT NULL)""",
        "CREATE INDEX bare_queue_ready ON bare_queue (due_at, id) WHERE state = 0"
    };
    private static final String INSERT =
            "INSERT INTO bare_queue (name, payload) SELECT 'bench.event', payload FROM unnest(?) AS payload";
    private static final String CLAIM = """
            UPDATE bare_queue SET state = 1 WHERE id IN (
              SELECT id FROM bare_queue WHERE state = 0 AND due_at <= clock_timestamp()
              ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED)
            RETURNING id, name, payload""";
    private static final String COMPLETE = "DELETE FROM bare_queue WHERE id = ANY (?)";

    private final String url;

    PostgresBareLoop(String url) {
        this.url = url;
    }

    /** Events per second of a whole cycle: a thread inserts while the workers claim and complete. */
    double cyclePerSecond(int events) throws Exception {
        create();
        long start = System.nanoTime();
        CountDownLatch done = new CountDownLatch(events);
        work(done, () -> insert(events));
        return events / ((System.nanoTime() - start) / 1e9);
    }

    /** Events per second, with all events waiting from the start. */
    double drainPerSecond(int events) throws Exception {
        create();
        insert(events);
        long start = System.nanoTime();
        work(new CountDownLatch(events), () -> {});
        return events / ((System.nanoTime() - start) / 1e9);
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static void work(String url, CountDownLatch done) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement claim = connection.prepareStatement(CLAIM);
                PreparedStatement complete = connection.prepareStatement(COMPLETE)) {
            while (done.getCount() > 0) {
                Long[] claimed = claim(claim);
                if (claimed.length > 0) {
                    complete.setArray(1, connection.createArrayOf("bigint", claimed));
                    complete.executeUpdate();
                    for (int i = 0; i < claimed.length; i++) {
                        done.countDown();
                    }
                }
            }
        }
    }

    private void work(CountDownLatch done, Step meanwhile) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                running.add(workers.submit(() -> {
                    work(url, done);
                    return null;
                }));
            }
            meanwhile.run();
            for (Future<?> worker : running) {
                worker.get();
            }
        } finally {
            workers.shutdownNow();
        }
    }

    private static Long[] claim(PreparedStatement claim) throws SQLException {
        claim.setInt(1, EventLoad.BULK);
        List<Long> ids = new ArrayList<>(EventLoad.BULK);
        try (ResultSet rows = claim.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                rows.getString(2);
                rows.getBytes(3);
            }
        }
        return ids.toArray(Long[]::new);
    }

    private void create() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : SCHEMA) {
                statement.execute(sql);
            }
        }
    }

    private void insert(int events) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int i = 0; i < events; i += EventLoad.BULK) {
                byte[][] payloads = new byte[Math.min(EventLoad.BULK, events - i)][EventLoad.PAYLOAD];
                Array array = connection.createArrayOf("bytea", payloads);
                insert.setArray(1, array);
                insert.executeUpdate();
                array.free();
            }
        }
    }
}
