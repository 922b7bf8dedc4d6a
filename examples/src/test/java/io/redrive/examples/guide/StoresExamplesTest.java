package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.RetryBudget;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.StoreStats;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.JsonLines;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresRunStore;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of stores.md, nodes.md and outbox.md, on a real server. */
final class StoresExamplesTest {

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static Event paid(int order) {
        return Event.named("order.paid")
                .source("shop")
                .correlationId("order-" + order)
                .json("{\"order\": " + order + "}")
                .build();
    }

    @Test
    void a_url_is_all_a_store_on_postgresql_needs() throws InterruptedException {
        String url = server.getJdbcUrl("postgres", "postgres");
        CountDownLatch shipped = new CountDownLatch(1);
        // snippet: stores-postgres
        try (EventStore store = PostgresStore.open(url);
                Pipeline pipeline = Pipeline.on(store)
                        .on("order.*", event -> shipped.countDown())
                        .start()) {
            pipeline.publish(paid(17));
            // end
            assertThat(shipped.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_url_is_all_a_run_on_postgresql_needs() throws IOException {
        String url = server.getJdbcUrl("postgres", "postgres");
        ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
                .stage(Stage.map("strip", String::strip))
                .build();
        SampleSource<String> articles = SampleSource.of(List.of(" a ", " b "));
        Path output = folder.resolve("summaries.jsonl");
        // snippet: runs-postgres
        try (RunStore store = PostgresRunStore.open(url)) {
            RunRecord end = Run.of(pipeline, store)
                    .id("summaries-march")
                    .from(articles)
                    .to(JsonLines.sink(output))
                    .run();
            // end
            assertThat(end.balance().succeeded()).isEqualTo(2);
            assertThat(Files.readAllLines(output)).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void an_event_published_in_a_transaction_is_there_only_if_it_commits() throws SQLException {
        DataSource shop = server.getPostgresDatabase();
        try (Connection connection = shop.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id bigint PRIMARY KEY, state text NOT NULL)");
        }
        try (PostgresStore store = PostgresStore.open(shop, PostgresOptions.DEFAULT.withSchema("outbox"))) {
            // snippet: outbox
            try (Connection connection = shop.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (17, 'paid')")) {
                    insert.executeUpdate();
                }
                store.publish(connection, paid(17), Instant.now());
                connection.commit(); // both, or with a rollback neither
            }
            // end
            try (Connection connection = shop.getConnection()) {
                connection.setAutoCommit(false);
                store.publish(connection, List.of(paid(18)), Instant.now());
                connection.rollback();
            }
            assertThat(store.stats(Instant.now()).ready()).isEqualTo(1);
        }
    }

    @Test
    void what_is_set_for_all_nodes_reaches_all_of_them() {
        String url = server.getJdbcUrl("postgres", "postgres");
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("nodes");
        try (EventStore store = PostgresStore.open(url, options);
                EventStore elsewhere = PostgresStore.open(url, options);
                Pipeline other =
                        Pipeline.on(elsewhere).on("order.*", event -> {}).build()) {
            // snippet: nodes
            Pipeline pipeline = Pipeline.on(store)
                    .node("shop-1") // shows in the history of attempts; a random name by default
                    // All nodes that name this budget share its tokens, which are kept in the store.
                    .budget("order.*", RetryBudget.of("warehouse"))
                    .on("order.*", event -> {})
                    .build();
            // On every node, within about a second, and still after a restart.
            pipeline.sharePolicies(Map.of("order.*", Map.of("max-attempts", 5, "initial-delay", "10s")));
            // end
            other.step();
            assertThat(other.policies().policyFor("order.paid").maxAttempts()).isEqualTo(5);
            pipeline.close();
        }
    }

    @Test
    void dead_letters_move_from_one_store_to_another() throws Exception {
        try (EventStore from = SqliteStore.open(folder.resolve("orders.db"));
                EventStore to = PostgresStore.open(
                        server.getJdbcUrl("postgres", "postgres"), PostgresOptions.DEFAULT.withSchema("moved"));
                Pipeline pipeline = Pipeline.on(from)
                        .handle("order.*", event -> Outcome.dead("no such order"))
                        .executor(Runnable::run)
                        .build()) {
            pipeline.publish(List.of(paid(1), paid(2)));
            pipeline.drain();
            // snippet: stores-move
            DeadLetters letters = from.deadLetters();
            long last = 0;
            for (var page = letters.list(LetterFilter.ALL, last, 500);
                    !page.isEmpty();
                    page = letters.list(LetterFilter.ALL, last, 500)) {
                // Each letter with its history, as the export of the command line writes it.
                to.deadLetters()
                        .importLetters(
                                page.stream()
                                        .map(letter -> letters.find(letter.id()).orElseThrow())
                                        .toList(),
                                "ann",
                                Instant.now());
                last = page.get(page.size() - 1).id();
            }
            // end
            assertThat(to.deadLetters().count(LetterFilter.ALL)).isEqualTo(2);
            assertThat(DeadLetterJson.write(to.deadLetters()
                            .find(to.deadLetters()
                                    .list(LetterFilter.ALL, 0, 1)
                                    .get(0)
                                    .id())
                            .orElseThrow()))
                    .contains("no such order");
        }
    }

    @Test
    void what_to_watch_is_in_the_statistics() {
        try (EventStore store = SqliteStore.open(folder.resolve("watched.db"))) {
            store.publish(List.of(paid(1)), Instant.now());
            // snippet: nodes-stats
            StoreStats stats = store.stats(Instant.now());
            boolean behind = stats.oldestReady().compareTo(Duration.ofMinutes(5)) > 0;
            // end
            assertThat(behind).isFalse();
            assertThat(stats.ready()).isEqualTo(1);
        }
    }
}
