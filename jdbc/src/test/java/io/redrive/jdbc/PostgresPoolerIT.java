package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A pooler between node and server that gives each transaction any free server connection. */
final class PostgresPoolerIT {

    /** More executions than the driver waits for before it prepares a statement on the server. */
    private static final int ROUNDS = 12;

    private static final PostgresOptions OPTIONS = PostgresOptions.DEFAULT.withSchema("pooled");

    private final PostgresServer server = PostgresServer.get();
    private TransactionPooler pooler;

    @BeforeEach
    void start() throws IOException {
        server.execute("DROP SCHEMA IF EXISTS pooled CASCADE");
        PostgresStore.open(server.source(), OPTIONS).close();
        pooler = new TransactionPooler(server.port(), "postgres", "postgres", 3);
    }

    @AfterEach
    void stop() throws IOException {
        pooler.close();
    }

    @Test
    void two_nodes_work_through_a_transaction_pooler_without_an_error() {
        try (PostgresStore one = PostgresStore.open(url(), OPTIONS);
                PostgresStore two = PostgresStore.open(url(), OPTIONS)) {
            assertThat(one.database().isBehindPooler()).isTrue();
            List<String> handled = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                one.publish(List.of(event("one-" + i)), Instant.now());
                two.publish(List.of(event("two-" + i)), Instant.now());
                handled.addAll(work(one));
                handled.addAll(work(two));
            }
            assertThat(handled).hasSize(2 * ROUNDS).doesNotHaveDuplicates();
        }
    }

    @Test
    void the_connection_of_an_application_keeps_the_threshold_it_had() throws SQLException {
        try (PostgresStore store = PostgresStore.open(url(), OPTIONS);
                Connection transaction = DriverManager.getConnection(url())) {
            transaction.setAutoCommit(false);
            PGConnection driver = transaction.unwrap(PGConnection.class);
            int before = driver.getPrepareThreshold();
            for (int i = 0; i < ROUNDS; i++) {
                store.publish(transaction, event("e" + i), Instant.now());
            }
            assertThat(driver.getPrepareThreshold()).isEqualTo(before).isPositive();
            try (Statement query = transaction.createStatement();
                    ResultSet names = query.executeQuery("SELECT name FROM pg_prepared_statements")) {
                assertThat(names.next())
                        .as("a statement is prepared on the server")
                        .isFalse();
            }
        }
    }

    @Test
    void no_store_listens_on_a_connection_which_the_pooler_hands_on() {
        try (PostgresStore store = PostgresStore.open(url(), OPTIONS)) {
            store.onPublished(() -> {});
            work(store);
            assertThat(server.count("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN \"pooled\"%'"))
                    .isZero();
        }
    }

    @Test
    void a_threshold_that_was_chosen_is_kept_and_its_failure_names_the_remedy() {
        assertThatThrownBy(() -> {
                    try (PostgresStore one = PostgresStore.open(url() + "&prepareThreshold=1", OPTIONS);
                            PostgresStore two = PostgresStore.open(url() + "&prepareThreshold=1", OPTIONS)) {
                        for (int i = 0; i < ROUNDS; i++) {
                            work(one);
                            work(two);
                        }
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("a pooler handed the connection on")
                .hasMessageContaining("set prepareThreshold=0");
    }

    @Test
    void a_server_without_a_pooler_is_known_as_such() {
        try (PostgresStore store = PostgresStore.open(server.url(), OPTIONS)) {
            assertThat(store.database().isBehindPooler()).isFalse();
        }
    }

    private String url() {
        return "jdbc:postgresql://localhost:" + pooler.port() + "/postgres?user=postgres";
    }

    private static List<String> work(PostgresStore store) {
        List<Claim> claims =
                store.claim(new ClaimRequest("node", Lane.DOMAIN, 10, false, Duration.ofMinutes(1), Instant.now()));
        assertThat(store.settle(
                        claims.stream().<Settlement>map(Settlement.Done::new).toList(), Instant.now()))
                .isEmpty();
        return claims.stream().map(claim -> claim.event().id()).toList();
    }

    private static Event event(String id) {
        return Event.named("order.paid").id(id).source("shop").orderingKey("k").build();
    }
}
