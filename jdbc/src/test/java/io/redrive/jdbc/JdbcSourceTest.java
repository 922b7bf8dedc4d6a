package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.items.Codec;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Samples from a query, on SQLite; {@link PostgresRunsIT} reads them from a server. */
final class JdbcSourceTest {

    @TempDir
    private Path dir;

    private final SQLiteDataSource database = new SQLiteDataSource();
    private final ItemPipeline<String, String> pipeline = ItemPipeline.named("articles", Codec.text())
            .stage(Stage.map("upper", String::toUpperCase))
            .build();

    @BeforeEach
    void createTable() throws SQLException {
        database.setUrl("jdbc:sqlite:" + dir.resolve("articles.db"));
        execute("CREATE TABLE articles (id INTEGER PRIMARY KEY, lang TEXT, body TEXT)");
        for (int i = 1; i <= 20; i++) {
            execute("INSERT INTO articles VALUES (" + i + ", '" + (i % 2 == 0 ? "en" : "de") + "', 'body " + i + "')");
        }
    }

    @Test
    void each_row_is_a_sample() {
        List<String> results = new ArrayList<>();
        RunRecord end = Run.of(pipeline, new InMemoryRunStore())
                .from(english())
                .to(Sink.each(result -> results.add(result.id() + ": " + result.value())))
                .run();

        assertThat(end.balance()).isEqualTo(new Balance(10, 10, 0, 0, 0, 0));
        assertThat(end.totals().sourceSize()).hasValue(10);
        assertThat(results).hasSize(10).contains("2: BODY 2", "20: BODY 20");
    }

    @Test
    void a_row_that_makes_no_sense_is_a_dead_sample() throws SQLException {
        execute("UPDATE articles SET body = NULL WHERE id = 4");
        RunStore store = new InMemoryRunStore();
        RunRecord end = Run.of(pipeline, store).from(english()).run();

        assertThat(end.balance()).isEqualTo(new Balance(10, 9, 0, 1, 0, 0));
    }

    @Test
    void a_row_of_which_no_sample_can_be_made_is_a_dead_sample_and_the_run_goes_on() throws SQLException {
        execute("UPDATE articles SET body = NULL WHERE id = 4");
        execute("UPDATE articles SET lang = NULL WHERE id = 7");
        RunStore store = new InMemoryRunStore();
        JdbcSource<String> source = JdbcSource.query(
                database,
                "SELECT id, lang, body FROM articles ORDER BY id",
                row -> Item.of(
                        row.getString("id"),
                        row.getString("lang").toUpperCase(Locale.ROOT)
                                + row.getString("body").strip()));
        RunRecord end = Run.of(pipeline, store).id("run-1").from(source).run();

        assertThat(end.balance()).isEqualTo(new Balance(20, 18, 0, 2, 0, 0));
        assertThat(store.archive().dead(DeadFilter.ALL, 10))
                .extracting(dead -> dead.sample().id() + " " + dead.death().errorType())
                .containsExactly("7 bad_row", "4 bad_row");
    }

    @Test
    void a_resumed_run_goes_on_after_the_rows_it_has_taken() throws SQLException {
        RunStore store = new InMemoryRunStore();
        List<String> results = new ArrayList<>();
        AtomicInteger reads = new AtomicInteger();
        JdbcSource<String> failing = JdbcSource.query(database, "SELECT id, body FROM articles ORDER BY id", row -> {
            if (reads.incrementAndGet() == 8) {
                throw new SQLException("connection lost");
            }
            return Item.of(row.getString("id"), row.getString("body"));
        });
        assertThatThrownBy(() -> run(store, failing, results)).hasMessageContaining("connection lost");
        execute("INSERT INTO articles VALUES (21, 'en', 'body 21')");
        RunRecord end = run(store, failing, results);

        assertThat(end.balance().succeeded()).isEqualTo(21);
        assertThat(results).hasSize(21).doesNotHaveDuplicates();
    }

    @Test
    void connections_are_given_back() throws Exception {
        JdbcSource<String> source = english();
        source.size();
        source.open().close();
        execute("DROP TABLE articles");

        assertThatThrownBy(source::open).isInstanceOf(SQLException.class);
        execute("CREATE TABLE articles (id INTEGER)");
    }

    @Test
    void a_query_without_an_order_is_refused() {
        assertThatThrownBy(() -> JdbcSource.query(database, "SELECT * FROM articles", row -> Item.of("1", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have an ORDER BY");
        assertThatThrownBy(() -> english().fetchSize(0)).hasMessage("fetch size must be at least 1, got 0");
    }

    private RunRecord run(RunStore store, JdbcSource<String> source, List<String> results) {
        return Run.of(pipeline, store)
                .id("run-1")
                .from(source)
                .to(Sink.each(result -> results.add(result.value())))
                .run();
    }

    private JdbcSource<String> english() {
        return JdbcSource.<String>query(database, "SELECT id, body FROM articles WHERE lang = ? ORDER BY id", row -> {
                    String body = row.getString("body");
                    return body == null
                            ? Item.bad(row.getString("id"), "no_body", "the article has no body")
                            : Item.of(row.getString("id"), body);
                })
                .with("en");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
