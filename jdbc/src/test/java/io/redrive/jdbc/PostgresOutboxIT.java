package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import io.redrive.events.journal.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Publishing in transactions of callers, which last, overtake each other, or roll back. */
final class PostgresOutboxIT {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final PostgresOptions OPTIONS = PostgresOptions.DEFAULT.withSchema("outbox");

    private final PostgresServer server = PostgresServer.get();
    private PostgresStore store;

    @BeforeEach
    void open() {
        server.execute("DROP SCHEMA IF EXISTS outbox CASCADE");
        store = PostgresStore.open(server.source(), OPTIONS);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void an_event_is_there_when_the_transaction_commits_and_not_before() throws SQLException {
        try (Connection transaction = begin()) {
            assertThat(store.publish(transaction, event("a").build(), Instant.now()))
                    .isEqualTo(PublishResult.ACCEPTED);
            assertThat(claim()).isEmpty();
            transaction.commit();
        }
        assertThat(ids(claim())).containsExactly("a");
    }

    @Test
    void a_transaction_that_is_rolled_back_leaves_nothing_not_even_the_key() throws SQLException {
        try (Connection transaction = begin()) {
            store.publish(transaction, event("a").orderingKey("k").build(), Instant.now());
            transaction.rollback();
        }
        assertThat(claim()).isEmpty();
        assertThat(store.publish(List.of(event("a").build()), Instant.now())).containsExactly(PublishResult.ACCEPTED);
    }

    @Test
    void a_duplicate_is_told_and_leaves_the_transaction_as_it_is() throws SQLException {
        store.publish(List.of(event("a").build()), Instant.now());
        try (Connection transaction = begin()) {
            List<Event> events =
                    List.of(event("b").build(), event("a").build(), event("b").build());
            assertThat(store.publish(transaction, events, Instant.now()))
                    .containsExactly(PublishResult.ACCEPTED, PublishResult.DUPLICATE, PublishResult.DUPLICATE);
            transaction.commit();
        }
        assertThat(ids(claim())).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void a_connection_that_commits_by_itself_is_refused() throws SQLException {
        try (Connection connection = server.source().getConnection()) {
            assertThatThrownBy(() -> store.publish(connection, event("a").build(), Instant.now()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the connection must be in a transaction")
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(claim()).isEmpty();
    }

    @Test
    void settling_does_not_wait_for_a_publisher_and_the_line_goes_on_when_he_commits() throws SQLException {
        store.publish(List.of(event("a").orderingKey("k").build()), Instant.now());
        Claim first = claim().get(0);
        try (Connection slow = begin()) {
            store.publish(slow, event("b").orderingKey("k").build(), Instant.now());
            assertThat(done(first)).isEmpty();
            assertThat(claim()).isEmpty();
            slow.commit();
        }
        assertThat(ids(claim())).containsExactly("b");
    }

    @Test
    void a_known_event_among_many_leaves_the_callers_transaction_intact() throws SQLException {
        store.publish(List.of(event("e30").build()), Instant.now());
        assertThat(claim()).hasSize(1);
        try (Connection transaction = begin()) {
            List<Event> many = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                many.add(event("e" + i).build());
            }
            assertThat(store.publish(transaction, event("before").build(), Instant.now()))
                    .isEqualTo(PublishResult.ACCEPTED);
            assertThat(store.publish(transaction, many, Instant.now()))
                    .hasSize(50)
                    .filteredOn(PublishResult::isDuplicate)
                    .hasSize(1);
            transaction.commit();
        }
        assertThat(store.stats(Instant.now()).ready()).isEqualTo(50);
    }

    @Test
    void a_publisher_who_commits_while_a_settlement_is_under_way_is_not_forgotten() throws SQLException {
        store.publish(List.of(event("a").orderingKey("k").build()), Instant.now());
        Claim first = claim().get(0);
        try (Connection settling = begin();
                Connection publishing = begin();
                PostgresSession session = new PostgresSession(settling, new PostgresSchemaName("outbox"))) {
            PostgresExchange exchange = new PostgresExchange(
                    PostgresClock.ofServer(),
                    Time.system(),
                    new SqlJournal(
                            new JournalTransactions.OnPostgres(store.database(), PostgresClock.ofServer()),
                            Journal.OFF),
                    () -> {});
            exchange.run(session, List.of(new Settlement.Done(first)), List.of(), Instant.now());
            store.publish(publishing, event("b").orderingKey("k").build(), Instant.now());
            publishing.commit();
            assertThat(claim()).as("the first has not ended yet").isEmpty();
            settling.commit();
        }
        assertThat(ids(claim())).containsExactly("b");
    }

    @Test
    void events_of_a_key_come_in_the_order_of_commits() throws SQLException {
        try (Connection slow = begin()) {
            store.publish(slow, event("1").orderingKey("k").build(), Instant.now());
            store.publish(List.of(event("2").orderingKey("k").build()), Instant.now());
            Claim second = claim().get(0);
            assertThat(second.event().id()).isEqualTo("2");
            slow.commit();
            store.publish(List.of(event("3").orderingKey("k").build()), Instant.now());
            assertThat(claim()).as("one at a time").isEmpty();
            done(second);
        }
        List<String> rest = new ArrayList<>();
        for (List<Claim> next = claim(); !next.isEmpty(); next = claim()) {
            rest.addAll(ids(next));
            next.forEach(this::done);
        }
        assertThat(rest).containsExactly("1", "3");
    }

    @Test
    void publishers_and_claimers_at_once_keep_every_line_and_lose_nothing() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Chaos chaos = new Chaos();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<CompletableFuture<?>> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                RandomGenerator random =
                        RandomGeneratorFactory.of("L64X128MixRandom").create(seed + i);
                int publisher = i;
                running.add(CompletableFuture.runAsync(() -> chaos.publish(publisher, random), threads));
                running.add(CompletableFuture.runAsync(chaos::work, threads));
            }
            running.forEach(CompletableFuture::join);
        } catch (Throwable e) {
            throw new AssertionError("with -Dredrive.seed=" + seed, e);
        } finally {
            threads.shutdownNow();
        }
        assertThat(chaos.handled).hasSize(chaos.committed.get());
        assertThat(server.count("SELECT count(*) FROM outbox.events")).isZero();
        assertThat(server.count("SELECT count(*) FROM outbox.lines")).isZero();
    }

    /**
     * Publishers with two ordering keys each: a key of the publisher alone, whose order is checked, and a shared key.
     */
    private final class Chaos {
        private static final int TRANSACTIONS = 60;

        private final AtomicInteger publishers = new AtomicInteger(3);
        private final AtomicInteger committed = new AtomicInteger();
        private final Set<String> handled = ConcurrentHashMap.newKeySet();
        private final Set<String> busyKeys = ConcurrentHashMap.newKeySet();
        private final Map<String, Integer> last = new ConcurrentHashMap<>();

        void publish(int publisher, RandomGenerator random) {
            int number = 0;
            for (int i = 0; i < TRANSACTIONS; i++) {
                try (Connection transaction = begin()) {
                    List<Event> events = new ArrayList<>();
                    for (int n = random.nextInt(1, 4); n > 0; n--) {
                        String key = random.nextInt(4) == 0 ? "shared" : "own-" + publisher;
                        events.add(event(publisher + ":" + number++)
                                .orderingKey(key)
                                .build());
                    }
                    store.publish(transaction, events, Instant.now());
                    if (random.nextInt(5) == 0) {
                        transaction.rollback();
                    } else {
                        transaction.commit();
                        committed.addAndGet(events.size());
                    }
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
            publishers.decrementAndGet();
        }

        void work() {
            try (PostgresStore mine = PostgresStore.open(server.source(), OPTIONS)) {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> {
                            List<Claim> claims = mine.claim(request());
                            List<Settlement> settlements = new ArrayList<>();
                            for (Claim claim : claims) {
                                handle(claim);
                                settlements.add(new Settlement.Done(claim));
                            }
                            assertThat(mine.settle(settlements, Instant.now())).isEmpty();
                            return publishers.get() == 0 && handled.size() == committed.get();
                        });
            }
        }

        private void handle(Claim claim) {
            String key = claim.event().orderingKey().orElseThrow();
            assertThat(busyKeys.add(key)).as("alone in line " + key).isTrue();
            assertThat(handled.add(claim.event().id())).as("once").isTrue();
            int number = Integer.parseInt(claim.event().id().replaceFirst(".*:", ""));
            if (key.startsWith("own-")) {
                assertThat(number).as("in order of " + key).isGreaterThan(last.getOrDefault(key, -1));
                last.put(key, number);
            }
            busyKeys.remove(key);
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = server.source().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private List<Claim> claim() {
        return store.claim(request());
    }

    private static ClaimRequest request() {
        return new ClaimRequest("node", Lane.DOMAIN, 10, false, LEASE, Instant.now());
    }

    private List<Claim> done(Claim claim) {
        return store.settle(List.of(new Settlement.Done(claim)), Instant.now());
    }

    private static List<String> ids(List<Claim> claims) {
        return claims.stream().map(claim -> claim.event().id()).toList();
    }

    private static Event.Builder event(String id) {
        return Event.named("order.paid").id(id).source("shop");
    }
}
