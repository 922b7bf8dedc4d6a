package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.pipeline.Pipeline;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults of a real PostgreSQL server and of the network, under load. */
@Timeout(180)
class PostgresFaultsIT {

    private static final int SOME = 2_000;

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres server;
    private static int port;
    private static int schemas;

    private PostgresOptions options;

    @BeforeAll
    static void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        server = startServer();
    }

    private static EmbeddedPostgres startServer() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void ownSchema() {
        options = PostgresOptions.DEFAULT
                .withSchema("faults_" + ++schemas)
                .withConnectTimeout(Duration.ofSeconds(2))
                .withAnswerTimeout(Duration.ofSeconds(2));
    }

    private static String url(int atPort) {
        return "jdbc:postgresql://localhost:" + atPort + "/postgres?user=postgres";
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(port));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a_server_that_is_restarted_costs_nothing_but_time() throws Exception {
        try (EventStore one = PostgresStore.open(url(port), options);
                EventStore two = PostgresStore.open(url(port), options);
                Traffic traffic = new Traffic(one, List.of(one, two))) {
            double rate = traffic.awaitHandled(SOME);
            server.close();
            traffic.awaitTrouble();
            server = startServer();
            traffic.awaitRate(rate);
            traffic.awaitEnd();
        }
    }

    @Test
    void connections_that_the_server_ends_are_opened_anew() throws Exception {
        try (EventStore one = PostgresStore.open(url(port), options);
                EventStore two = PostgresStore.open(url(port), options);
                Traffic traffic = new Traffic(one, List.of(one, two))) {
            double rate = traffic.awaitHandled(SOME);
            for (int round = 0; round < 5; round++) {
                traffic.awaitHandled(SOME / 5);
                execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
            }
            traffic.awaitRate(rate);
            traffic.awaitEnd();
        }
    }

    @Test
    void a_socket_that_stalls_without_closing_is_given_up() throws Exception {
        try (StallingProxy proxy = new StallingProxy(port);
                EventStore near = PostgresStore.open(url(port), options);
                EventStore far = PostgresStore.open(url(proxy.port()), options);
                Traffic traffic = new Traffic(near, List.of(far))) {
            double rate = traffic.awaitHandled(SOME);
            proxy.stall();
            traffic.awaitTrouble();
            proxy.resume();
            traffic.awaitRate(rate);
            traffic.awaitEnd();
        }
    }

    /** With the time-outs that a user has who sets none. */
    private Pipeline busyPipeline(EventStore store) throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(100);
        Pipeline pipeline =
                Pipeline.on(store).on("*", event -> handled.countDown()).start();
        for (int i = 0; i < 300; i++) {
            pipeline.publish(Event.named("order.paid").source("test").build());
        }
        handled.await();
        return pipeline;
    }

    /** The promise is 10 seconds; without the promise, closing took minutes. */
    private static void assertCloses(AutoCloseable one) {
        assertTimeoutPreemptively(Duration.ofSeconds(60), one::close);
    }

    @Test
    void a_pipeline_closes_within_its_limit_when_the_server_is_gone() throws Exception {
        PostgresOptions usual = PostgresOptions.DEFAULT.withSchema(options.schema());
        EventStore store = PostgresStore.open(url(port), usual);
        Pipeline pipeline = busyPipeline(store);
        server.close();
        try {
            assertCloses(pipeline);
            assertCloses(store);
        } finally {
            server = startServer();
        }
    }

    @Test
    void a_pipeline_closes_within_its_limit_when_the_server_accepts_and_never_answers() throws Exception {
        PostgresOptions usual = PostgresOptions.DEFAULT.withSchema(options.schema());
        try (StallingProxy proxy = new StallingProxy(port)) {
            EventStore store = PostgresStore.open(url(proxy.port()), usual);
            Pipeline pipeline = busyPipeline(store);
            proxy.stall();
            assertCloses(pipeline);
            assertCloses(store);
        }
    }

    @Test
    void a_pool_without_a_free_connection_is_told_and_waited_for() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(port));
        config.setMaximumPoolSize(3);
        config.setConnectionTimeout(1_000);
        try (HikariDataSource pool = new HikariDataSource(config);
                // Listening would occupy one of the three connections.
                PostgresStore store = PostgresStore.open(pool, options.withoutHints());
                Traffic traffic = new Traffic(store, List.of(store))) {
            double rate = traffic.awaitHandled(SOME);
            List<Connection> taken = new ArrayList<>();
            while (taken.size() < 3) {
                try {
                    taken.add(pool.getConnection());
                } catch (SQLException e) {
                    // The store holds the connections at this moment; ask again.
                    assertThat(taken).hasSizeLessThan(3);
                }
            }
            traffic.awaitTrouble();
            assertThatThrownBy(() -> store.stats(Instant.now()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("connection");
            for (Connection connection : taken) {
                connection.close();
            }
            traffic.awaitRate(rate);
            traffic.awaitEnd();
        }
    }

    @Test
    void connections_that_are_serializable_by_default_do_not_disturb() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(port));
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresStore one = PostgresStore.open(pool, options);
                PostgresStore two = PostgresStore.open(pool, options);
                Traffic traffic = new Traffic(one, List.of(one, two))) {
            traffic.awaitHandled(SOME);
            traffic.awaitEnd();
        }
    }

    @Test
    void a_transaction_that_stays_open_holds_nothing_up() throws Exception {
        try (EventStore store = PostgresStore.open(url(port), options);
                Connection held = DriverManager.getConnection(url(port));
                Statement statement = held.createStatement()) {
            held.setAutoCommit(false);
            held.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("SELECT count(*) FROM " + options.schema() + ".events");
            try (Traffic traffic = new Traffic(store, List.of(store))) {
                traffic.awaitHandled(5 * SOME);
                traffic.awaitEnd();
            }
            held.rollback();
        }
    }

    @Test
    void a_node_that_wakes_up_after_its_lease_changes_nothing() throws Exception {
        Random random = new Random(7);
        try (EventStore zombie = PostgresStore.open(url(port), options);
                EventStore other = PostgresStore.open(url(port), options)) {
            for (int round = 0; round < 200; round++) {
                Event event = Event.named("fault.zombie").source("test").build();
                zombie.publish(List.of(event), Instant.now());
                Claim late = claim(zombie, Lane.DOMAIN, Duration.ofNanos(1_000));
                assertThat(other.recover(Instant.now())).isEqualTo(1);
                Claim taken = claim(other, Lane.DOMAIN, Duration.ofMinutes(1));
                Settlement settlement = settlement(late, random.nextInt(5));
                if (random.nextBoolean()) {
                    assertThat(zombie.settle(List.of(settlement), Instant.now()))
                            .containsExactly(late);
                    assertThat(other.settle(List.of(new Settlement.Done(taken)), Instant.now()))
                            .isEmpty();
                } else {
                    assertThat(other.settle(List.of(new Settlement.Done(taken)), Instant.now()))
                            .isEmpty();
                    assertThat(zombie.settle(List.of(settlement), Instant.now()))
                            .containsExactly(late);
                }
            }
            var stats = other.stats(Instant.now());
            assertThat(stats.ready() + stats.delayed() + stats.claimed() + stats.dead())
                    .isZero();
            assertThat(other.deadLetters().count(LetterFilter.ALL)).isZero();
        }
    }

    private static Claim claim(EventStore store, Lane lane, Duration lease) {
        List<Claim> claims = store.claim(new ClaimRequest("node", lane, 1, false, lease, Instant.now()));
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    private static Settlement settlement(Claim claim, int kind) {
        AttemptRecord attempt =
                new AttemptRecord(1, Instant.now(), "zombie", Duration.ZERO, "Late", "too late", "retry", "in 1s");
        return switch (kind) {
            case 0 -> new Settlement.Done(claim);
            case 1 -> new Settlement.Retry(claim, Instant.now(), Duration.ZERO, attempt);
            case 2 -> new Settlement.Dead(claim, Reason.TIMEOUT, attempt, "print", "test");
            case 3 -> new Settlement.Release(claim);
            default -> new Settlement.Snooze(claim, Instant.now());
        };
    }
}
