package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Open transactions publish under one ordering key while exchanges run. An exchange finds every call of a committed
 * transaction, in whatever order the transactions took their numbers, and however many exchanges came between.
 */
final class PostgresInterleavingIT {

    private static final PostgresOptions OPTIONS =
            PostgresOptions.DEFAULT.withSchema("interleaving").withoutHints();

    /** Exchanges enough for a mark to become certain and be used. */
    private static final int SEVERAL = 6;

    private final PostgresServer server = PostgresServer.get();
    /** Advances with each exchange, for clients that keep a transaction open over an exchange. */
    private final Phaser exchanges = new Phaser(1);

    private final List<String> handled = new ArrayList<>();
    private PostgresStore store;

    @BeforeEach
    void open() {
        server.execute("DROP SCHEMA IF EXISTS interleaving CASCADE");
        store = PostgresStore.open(server.source(), OPTIONS);
        server.execute("CREATE TABLE interleaving.orders (id bigint GENERATED ALWAYS AS IDENTITY, note text)");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_transaction_numbered_just_after_the_last_one_that_ended_is_not_passed_over() throws SQLException {
        try (Connection earlier = begin();
                Connection later = begin()) {
            write(earlier);
            write(later);
            publish(later, "created");
            publishFor("other", earlier, "other");
            earlier.commit();
            work(SEVERAL);
            publish(later, "paid");
            later.commit();
        }
        work(SEVERAL);
        assertThat(handled).containsExactly("other", "created", "paid");
    }

    @Test
    void a_transaction_that_began_before_many_others_and_commits_after_them_is_not_passed_over() throws SQLException {
        try (Connection slow = begin()) {
            publish(slow, "created");
            for (int i = 0; i < SEVERAL; i++) {
                try (Connection quick = begin()) {
                    write(quick);
                    publishFor("other-" + i, quick, "other-" + i);
                    quick.commit();
                }
                work(2);
            }
            publish(slow, "paid");
            slow.commit();
        }
        work(SEVERAL);
        assertThat(handled).hasSize(SEVERAL + 2).endsWith("created", "paid");
    }

    @Test
    void a_transaction_that_has_a_number_and_publishes_late_is_not_passed_over() throws SQLException {
        try (Connection numbered = begin()) {
            write(numbered);
            publishAlone("first");
            work(SEVERAL);
            publish(numbered, "created");
            publishAlone("other", "other");
            work(SEVERAL);
            publish(numbered, "paid");
            numbered.commit();
        }
        work(SEVERAL);
        assertThat(handled).containsExactly("first", "other", "created", "paid");
    }

    @Test
    void an_event_published_within_a_savepoint_is_not_passed_over() throws SQLException {
        try (Connection nested = begin()) {
            Savepoint outer = nested.setSavepoint();
            publish(nested, "created");
            Savepoint undone = nested.setSavepoint();
            publish(nested, "mistaken");
            nested.rollback(undone);
            publishAlone("other", "other");
            work(SEVERAL);
            nested.releaseSavepoint(outer);
            nested.setSavepoint();
            publish(nested, "paid");
            work(SEVERAL);
            nested.commit();
        }
        work(SEVERAL);
        assertThat(handled).containsExactly("other", "created", "paid");
    }

    @Test
    void a_transaction_that_is_rolled_back_holds_up_no_event() throws SQLException {
        try (Connection undone = begin();
                Connection kept = begin()) {
            publish(undone, "mistaken");
            publish(kept, "created");
            publishAlone("other", "other");
            work(SEVERAL);
            undone.rollback();
            work(SEVERAL);
            publish(kept, "paid");
            kept.commit();
        }
        work(SEVERAL);
        assertThat(handled).containsExactly("other", "created", "paid");
    }

    @Test
    void a_prepared_transaction_is_not_passed_over() throws SQLException {
        try (Connection transaction = begin()) {
            publish(transaction, "created");
            publish(transaction, "paid");
            try (Statement prepare = transaction.createStatement()) {
                prepare.execute("PREPARE TRANSACTION 'order-17'");
            }
        }
        publishAlone("other", "other");
        work(SEVERAL);
        server.execute("COMMIT PREPARED 'order-17'");
        work(SEVERAL);
        assertThat(handled).containsExactly("other", "created", "paid");
    }

    @Test
    void a_list_that_needs_several_statements_keeps_its_order() throws SQLException {
        byte[] payload = new byte[900 * 1024];
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            events.add(event("large-" + i)
                    .orderingKey("k")
                    .payload(payload, "application/octet-stream")
                    .build());
        }
        assertThat(PostgresPublish.isOneStatement(events)).isFalse();
        try (Connection transaction = begin()) {
            write(transaction);
            store.publish(transaction, events, Instant.now());
            publishAlone("other", "other");
            work(SEVERAL);
            transaction.commit();
        }
        work(10);
        assertThat(handled)
                .containsExactly("other", "large-0", "large-1", "large-2", "large-3", "large-4", "large-5", "large-6");
    }

    @Test
    void the_mark_follows_when_the_transactions_are_over() throws SQLException {
        try (Connection slow = begin()) {
            publish(slow, "created");
            publishAlone("other", "other");
            work(SEVERAL);
            slow.commit();
        }
        work(SEVERAL);
        publishAlone("last", "last");
        work(SEVERAL);
        assertThat(store.callMark())
                .as("looks begin behind the last call")
                .isEqualTo(server.count("SELECT last_value FROM interleaving.line_calls_id_seq"));
    }

    @Test
    void of_many_clients_who_publish_two_events_in_a_transaction_none_sees_the_second_handled_first() {
        int clients = 8;
        int orders = 40;
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int client = i;
            running.add(CompletableFuture.runAsync(() -> order(client, orders), threads));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            work(1);
            exchanges.arrive();
        }
        exchanges.forceTermination();
        all.join();
        threads.shutdown();
        work(SEVERAL);
        Map<String, String> last = new HashMap<>();
        for (String id : handled) {
            String[] parts = id.split(":");
            assertThat(last.put(parts[0], parts[1]))
                    .as("before %s", id)
                    .isEqualTo(parts[1].equals("paid") ? "created" : null);
        }
        assertThat(handled).as("none comes late").hasSize(clients * orders * 2);
    }

    private void order(int client, int orders) {
        for (int i = 0; i < orders; i++) {
            String order = client + "-" + i;
            try (Connection transaction = begin()) {
                write(transaction);
                publishFor(order, transaction, order + ":created");
                exchanges.awaitAdvance(exchanges.getPhase());
                publishFor(order, transaction, order + ":paid");
                transaction.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = server.source().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Gives the transaction a number. */
    private static void write(Connection transaction) throws SQLException {
        try (Statement insert = transaction.createStatement()) {
            insert.executeUpdate("INSERT INTO interleaving.orders (note) VALUES ('new')");
        }
    }

    private void publish(Connection transaction, String id) {
        publishFor("k", transaction, id);
    }

    private void publishFor(String key, Connection transaction, String id) {
        store.publish(transaction, event(id).orderingKey(key).build(), Instant.now());
    }

    private void publishAlone(String id) {
        publishAlone("k", id);
    }

    private void publishAlone(String key, String id) {
        store.publish(List.of(event(id).orderingKey(key).build()), Instant.now());
    }

    /** Exchanges as often as a busy node; each exchange settles the claims of the one before. */
    private void work(int exchanges) {
        List<Settlement> settlements = List.of();
        for (int i = 0; i < exchanges || !settlements.isEmpty(); i++) {
            List<Claim> claims = store.exchange(settlements, List.of(request()), Instant.now())
                    .claims();
            claims.forEach(claim -> handled.add(claim.event().id()));
            settlements = claims.stream().<Settlement>map(Settlement.Done::new).toList();
        }
    }

    private static ClaimRequest request() {
        return new ClaimRequest("node", Lane.DOMAIN, 50, false, Duration.ofMinutes(5), Instant.now());
    }

    private static Event.Builder event(String id) {
        return Event.named("order.changed").id(id).source("shop");
    }
}
