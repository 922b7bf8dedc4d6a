package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.redrive.core.Time;
import io.redrive.events.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hints between nodes after a publish. */
final class PostgresHintsIT {

    private static final String LISTENERS = """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE query ~ '^LISTEN' AND query ~ 'hints' AND pid <> pg_backend_pid()
        """;
    private static final PostgresOptions OPTIONS = PostgresOptions.DEFAULT.withSchema("hints");

    private final PostgresServer server = PostgresServer.get();
    private final AtomicInteger woken = new AtomicInteger();
    private PostgresStore here;
    private PostgresStore there;

    @BeforeEach
    void open() {
        server.execute("DROP SCHEMA IF EXISTS hints CASCADE");
        here = PostgresStore.open(server.url(), OPTIONS);
        there = PostgresStore.open(server.url(), OPTIONS);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void another_node_hears_of_a_publish() {
        listen(there);
        publish();
        await().untilAsserted(() -> assertThat(woken).hasPositiveValue());
    }

    @Test
    void a_node_hears_of_its_own_transactions_when_they_commit() throws SQLException {
        listen(here);
        try (Connection transaction = server.source().getConnection()) {
            transaction.setAutoCommit(false);
            here.publish(transaction, event(), Instant.now());
            transaction.commit();
        }
        await().untilAsserted(() -> assertThat(woken).hasPositiveValue());
    }

    @Test
    void a_listener_whose_connection_is_cut_listens_on_another() {
        listen(there);
        assertThat(server.count(LISTENERS)).isEqualTo(1);
        await().untilAsserted(() ->
                assertThat(woken).as("woken when it listens again").hasPositiveValue());
        woken.set(0);
        publish();
        await().untilAsserted(() -> assertThat(woken).hasPositiveValue());
    }

    @Test
    void a_store_that_is_closed_has_given_all_connections_back() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.url());
            PostgresStore onPool = PostgresStore.open(pool, OPTIONS);
            listen(onPool);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
            onPool.close();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void many_publications_are_told_by_a_few_hints() {
        listen(there);
        long began = Time.system().nanos();
        for (int i = 0; i < 300; i++) {
            publish();
        }
        here.close();
        long pauses = Duration.ofNanos(Time.system().nanos() - began).toMillis() / 50;
        assertThat(woken.get()).isBetween(1, (int) pauses + 3);
    }

    @Test
    void the_last_publication_before_the_end_is_told_too() {
        listen(there);
        publish();
        here.close();
        await().untilAsserted(() -> assertThat(woken).hasPositiveValue());
    }

    @Test
    void without_hints_no_node_notifies_or_listens() {
        try (PostgresStore quiet = PostgresStore.open(server.url(), OPTIONS.withoutHints())) {
            listen(there);
            quiet.onPublished(woken::incrementAndGet);
            quiet.publish(List.of(event()), Instant.now());
            assertThat(woken).as("by its own call").hasValue(1);
            publish();
            await().untilAsserted(() -> assertThat(woken).hasValueGreaterThan(1));
            assertThat(woken)
                    .as("and by the one hint there was, in the other store")
                    .hasValue(2);
            assertThat(server.count(LISTENERS)).as("listening connections").isEqualTo(1);
        }
    }

    /** Returns when the store listens, which the first wake tells. */
    private void listen(PostgresStore store) {
        AtomicInteger listening = new AtomicInteger();
        store.onPublished(listening::incrementAndGet);
        await().untilAsserted(() -> assertThat(listening).hasPositiveValue());
        store.onPublished(woken::incrementAndGet);
    }

    private void publish() {
        here.publish(List.of(event()), Instant.now());
    }

    private static Event event() {
        return Event.named("order.paid").source("shop").build();
    }
}
