package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.Balance;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real runs on a real server, with the server's clock. */
@Timeout(300)
final class PostgresRunsIT {

    private static final Logger LOG = Logger.getLogger("io.redrive.items");

    static {
        LOG.setLevel(Level.OFF);
    }

    private static final String TEXTS = "SELECT n, 'text ' || n AS body FROM generate_series(1, 5000) AS n ORDER BY n";

    private final PostgresServer server = PostgresServer.get();

    @Test
    void several_processes_share_a_run_and_each_sample_is_written_once() throws InterruptedException {
        int processes = 3;
        Queue<String> results = new ConcurrentLinkedQueue<>();
        List<PostgresRunStore> stores = new ArrayList<>();
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            PostgresRunStore store =
                    PostgresRunStore.open(server.url(), PostgresOptions.DEFAULT.withSchema("shared_runs"));
            stores.add(store);
            runs.add(Run.of(pipeline(), store)
                    .id("shared")
                    .node("process-" + i)
                    .from(JdbcSource.query(
                            server.source(), TEXTS, row -> Item.of(row.getString("n"), row.getString("body"))))
                    .to(Sink.each(result -> results.add(result.value())))
                    .settings(RunSettings.STANDARD.withWindow(200).withCommits(Duration.ofMillis(20), 200))
                    .build());
        }
        runs.forEach(Run::start);
        for (Run run : runs) {
            assertThat(run.await().status()).isEqualTo(RunStatus.COMPLETED);
        }

        RunRecord end =
                stores.get(0).archive().find("shared", Time.system().now()).orElseThrow();
        assertThat(end.balance()).isEqualTo(new Balance(5_000, 5_000, 0, 0, 0, 0));
        assertThat(end.workers()).isZero();
        assertThat(results).hasSize(5_000).doesNotHaveDuplicates();
        assertThat(stores.get(0).archive().retries("shared")).containsEntry(0, 5_000L);
        stores.forEach(PostgresRunStore::close);
    }

    @Test
    void a_source_on_the_server_is_fetched_in_parts() throws Exception {
        execute("CREATE SEQUENCE fetched");
        JdbcSource<String> source = JdbcSource.<String>query(
                        server.source(),
                        "SELECT n, nextval('fetched') FROM generate_series(1, 5000) AS n ORDER BY n",
                        row -> Item.of(row.getString("n"), row.getString("n")))
                .fetchSize(10);

        assertThat(source.size()).hasValue(5_000);
        execute("ALTER SEQUENCE fetched RESTART");
        try (var cursor = source.open()) {
            for (int i = 0; i < 15; i++) {
                cursor.next();
            }
            assertThat(lastFetched()).isEqualTo(20);
        } finally {
            execute("DROP SEQUENCE fetched");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long lastFetched() throws SQLException {
        try (Connection connection = server.source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT last_value FROM fetched")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static ItemPipeline<String, String> pipeline() {
        return ItemPipeline.named("texts", Codec.text())
                .stage(Stage.map("upper", String::toUpperCase))
                .stage(Stage.map("exclaim", text -> text + "!"))
                .build();
    }
}
