package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.HttpStatusException;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.FailureBudgetExceeded;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.JsonLines;
import io.redrive.items.RateLimit;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.StatusThresholds;
import io.redrive.items.report.RunReport;
import io.redrive.items.run.Run;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.StageAttempt;
import io.redrive.jdbc.JdbcSource;
import io.redrive.jdbc.SqliteRunStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;
import tools.jackson.databind.json.JsonMapper;

/** The snippets of item-runs.md and item-reports.md. */
final class ItemRunExamplesTest {

    @TempDir
    private Path folder;

    @Test
    void each_stage_has_a_policy_of_its_own() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] text = exchange.getRequestBody().readAllBytes();
            boolean busy = calls.incrementAndGet() == 1;
            exchange.sendResponseHeaders(busy ? 429 : 200, busy ? -1 : text.length);
            exchange.getResponseBody().write(busy ? new byte[0] : text);
            exchange.close();
        });
        server.start();
        URI model = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");

        // snippet: item-stages
        HttpClient http = HttpClient.newHttpClient();

        Stage<String, String> clean = Stage.map("clean", String::strip);

        Stage<String, String> worthwhile = Stage.filter("worthwhile", text -> text.length() > 3);

        Stage<String, String> summarize = Stage.map("summarize", (String text) -> {
                    HttpRequest request = HttpRequest.newBuilder(model)
                            .POST(HttpRequest.BodyPublishers.ofString(text))
                            .build();
                    return HttpStatusException.check(http.send(request, BodyHandlers.ofString()), Time.system())
                            .body();
                })
                .policy(RetryPolicy.builder()
                        .maxAttempts(6)
                        .backoff(Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30)))
                        .jitter(0.25)
                        .retryOnStatus(429, 500, 502, 503, 504)
                        .retryOn(IOException.class)
                        .retryOnKind("timeout")
                        .build())
                .concurrency(16)
                .rateLimit(RateLimit.perSecond(20))
                .timeLimit(Duration.ofSeconds(30));

        ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
                .stage(clean)
                .stage(worthwhile)
                .stage(summarize)
                .build();
        // end
        try {
            RunRecord end = Run.of(pipeline, new InMemoryRunStore())
                    .from(SampleSource.of(List.of(" some article ", "no", "another")))
                    .run();
            assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(end.balance().succeeded()).isEqualTo(2);
            assertThat(end.balance().skipped()).isEqualTo(1);
            assertThat(calls).hasValue(3);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void a_stage_finds_its_number_of_calls_at_once() {
        // snippet: item-adaptive-limit
        Stage<String, String> summarize =
                Stage.map("summarize", ItemRunExamplesTest::firstLine).concurrency(AdaptiveLimit.between(1, 64));
        // end
        assertThat(summarize.concurrency()).isEqualTo(4);
        assertThatThrownBy(() -> summarize.concurrency(16)).hasMessageContaining("got both (fixed: 16)");
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    @Test
    void values_between_stages_have_types_of_their_own() {
        // snippet: item-types
        record Article(String title, String text) {}

        JsonMapper json = new JsonMapper();
        Codec<Article> articles = Codec.text(json::writeValueAsString, text -> json.readValue(text, Article.class));

        ItemPipeline<String, String> pipeline = ItemPipeline.named("articles", Codec.text())
                .stage(Stage.of(
                        "parse", articles, (line, sample) -> StageOutcome.value(json.readValue(line, Article.class))))
                .stage(Stage.of(
                        "summarize",
                        Codec.text(),
                        (article, sample) -> StageOutcome.value(article.title() + ": " + article.text())))
                .build();
        // end
        List<String> results = new ArrayList<>();
        RunRecord end = Run.of(pipeline, new InMemoryRunStore())
                .from(SampleSource.of(List.of("{\"title\":\"Rain\",\"text\":\"it fell\"}")))
                .to(Sink.each(result -> results.add(result.value())))
                .run();
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(results).containsExactly("Rain: it fell");
    }

    @Test
    void a_stage_may_say_what_became_of_a_sample_and_work_on_batches() {
        // snippet: item-outcomes
        Stage<String, String> check = Stage.of("check", Codec.text(), (text, sample) -> {
            if (text.isBlank()) {
                return StageOutcome.skip("blank");
            }
            return sample.attempt() == 1 && text.startsWith("?")
                    ? StageOutcome.failed(Failure.kind("not_ready"))
                    : StageOutcome.value(text);
        });

        Stage<String, String> embed = Stage.batch(
                "embed",
                32,
                texts -> texts.stream().map(text -> text + " [vector]").toList());
        // end
        List<String> results = new ArrayList<>();
        ManualTime time = new ManualTime();
        Run run = Run.of(
                        ItemPipeline.named("vectors", Codec.text())
                                .stage(check)
                                .stage(embed)
                                .build(),
                        new InMemoryRunStore())
                .from(SampleSource.of(List.of("a", " ", "?b")))
                .to(Sink.each(result -> results.add(result.value())))
                .executor(Runnable::run)
                .time(time)
                .build();
        finish(run, time);
        assertThat(results).containsExactlyInAnyOrder("a [vector]", "?b [vector]");
    }

    @Test
    void samples_come_from_files_collections_and_queries() throws Exception {
        Path articles = Files.writeString(folder.resolve("articles.jsonl"), "{\"id\": 1}\n{\"id\": 2}\n");
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + folder.resolve("articles.db"));
        createArticles(database);
        DataSource dataSource = database;

        // snippet: item-sources
        SampleSource<String> lines = JsonLines.source(articles);

        SampleSource<String> list = SampleSource.of(List.of("one", "two"));

        SampleSource<String> large =
                SampleSource.stream(() -> IntStream.range(0, 1_000_000).mapToObj(i -> "text " + i));

        SampleSource<String> rows = JdbcSource.<String>query(
                        dataSource,
                        "SELECT id, body FROM articles WHERE lang = ? ORDER BY id",
                        row -> Item.of(row.getString("id"), row.getString("body")))
                .with("en");
        // end
        assertThat(read(lines)).hasSize(2);
        assertThat(read(list)).containsExactly("one", "two");
        assertThat(large.open().next()).isPresent();
        assertThat(read(rows)).containsExactly("a text");
    }

    @Test
    void too_many_deaths_stop_a_run_which_goes_on_when_the_cause_is_gone() {
        // snippet: item-budget
        ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
                .stage(Stage.map("summarize", ItemRunExamplesTest::summarize).policy(RetryPolicy.noRetry()))
                .failureBudget(new FailureBudget(0.05, 200))
                .thresholds(new StatusThresholds(0.99, 0.5))
                .build();
        // end
        SampleSource<String> source = SampleSource.of(
                IntStream.range(0, 1_000).mapToObj(i -> "text " + i).toList());
        RunStore store = new InMemoryRunStore();
        keyIsWrong = true;
        assertThatThrownBy(
                        () -> Run.of(pipeline, store).id("march").from(source).run())
                .isInstanceOf(FailureBudgetExceeded.class)
                .hasMessageContaining("200");
        keyIsWrong = false;

        // snippet: item-reprocess
        long revived = store.archive()
                .reprocess(
                        DeadFilter.ofRun("march").atStage("summarize"),
                        Time.system().now());
        RunRecord end = Run.of(pipeline, store).id("march").from(source).run();
        // end
        assertThat(revived).isPositive();
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(end.balance().succeeded()).isEqualTo(1_000);
    }

    private static volatile boolean keyIsWrong;

    private static String summarize(String text) throws IOException {
        if (keyIsWrong && Integer.parseInt(text.substring("text ".length())) >= 100) {
            throw new IOException("401 wrong API key");
        }
        return text;
    }

    @Test
    void a_run_is_started_looked_at_and_stopped() throws Exception {
        Path file = folder.resolve("runs.db");
        Path output = folder.resolve("out.jsonl");
        SampleSource<String> articles = JsonLines.source(
                Files.writeString(folder.resolve("in.jsonl"), "\"a\"\n\"b\"\n", StandardCharsets.UTF_8));
        ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
                .stage(Stage.map("summarize", text -> text))
                .build();

        // snippet: item-start
        try (RunStore store = SqliteRunStore.open(file);
                Run run = Run.of(pipeline, store)
                        .id("summaries-march")
                        .from(articles)
                        .to(JsonLines.sink(output))
                        .start()) {
            System.out.println(run.progress().succeeded() + " so far");
            RunRecord end = run.await();
            System.out.println(end.status().code() + ": " + end.balance());
        }
        // end
        assertThat(Files.readAllLines(output)).containsExactlyInAnyOrder("\"a\"", "\"b\"");
    }

    @Test
    void what_died_is_listed_with_every_attempt() {
        RunStore store = new InMemoryRunStore();
        reported(store);

        // snippet: item-dead
        for (DeadSample dead : store.archive().dead(DeadFilter.ofRun("summaries-march"), 100)) {
            System.out.println(dead.sample().id() + " died at " + dead.stage() + " of "
                    + dead.death().message());
            for (StageAttempt attempt :
                    store.archive().attempts(dead.run(), dead.sample().ordinal())) {
                System.out.println("  " + attempt.stage() + " " + attempt.attempt() + " "
                        + attempt.status().code() + " " + attempt.errorType());
            }
        }
        // end
        assertThat(store.archive().dead(DeadFilter.ofRun("summaries-march"), 100))
                .isNotEmpty();
    }

    /** The report in the guide. */
    static String report() {
        RunStore store = new InMemoryRunStore();
        reported(store);
        // snippet: item-report
        RunReport report =
                RunReport.of(store.archive(), "summaries-march", Time.system().now());
        String text = report.text();
        // end
        return text.stripTrailing();
    }

    private static void reported(RunStore store) {
        ManualTime time = new ManualTime();
        Random random = new Random(7);
        ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
                .stage(Stage.filter("worthwhile", text -> !text.endsWith("7")))
                .stage(Stage.of("summarize", Codec.text(), (text, sample) -> {
                    time.advance(Duration.ofMillis(20 + random.nextInt(30)));
                    int luck = random.nextInt(100);
                    return luck < 2 || text.endsWith("13")
                            ? StageOutcome.failed(Failure.kind("unreadable"))
                            : luck < 12 ? StageOutcome.failed(Failure.status(429)) : StageOutcome.value(text);
                }))
                .build();
        Run run = Run.of(pipeline, store)
                .id("summaries-march")
                .from(SampleSource.of(
                        IntStream.range(0, 200).mapToObj(i -> "article " + i).toList()))
                .executor(Runnable::run)
                .time(time)
                .random(new Random(7))
                .build();
        finish(run, time);
    }

    @Test
    void a_run_is_stepped_by_hand_in_a_test() {
        // snippet: item-test
        ManualTime time = new ManualTime();
        List<String> results = new ArrayList<>();
        Run run = Run.of(
                        ItemPipeline.named("texts", Codec.text())
                                .stage(Stage.of(
                                        "flaky",
                                        Codec.text(),
                                        (text, sample) -> sample.attempt() < 3
                                                ? StageOutcome.failed(Failure.status(503))
                                                : StageOutcome.value(text)))
                                .build(),
                        new InMemoryRunStore())
                .from(SampleSource.of(List.of("a")))
                .to(Sink.each(result -> results.add(result.value())))
                .executor(Runnable::run)
                .time(time)
                .build();

        run.drain();
        assertThat(results).isEmpty();
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofSeconds(1));
            run.drain();
        }
        assertThat(results).containsExactly("a");
        // end
        assertThat(run.isOver()).isTrue();
    }

    private static void finish(Run run, ManualTime time) {
        while (!run.isOver()) {
            if (!run.step()) {
                time.advance(Duration.ofMillis(10));
            }
        }
    }

    private static List<String> read(SampleSource<String> source) throws Exception {
        List<String> all = new ArrayList<>();
        try (var cursor = source.open()) {
            for (var next = cursor.next(); next.isPresent(); next = cursor.next()) {
                all.add(((Item.Good<String>) next.get()).value());
            }
        }
        return all;
    }

    private static void createArticles(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE articles (id INTEGER PRIMARY KEY, lang TEXT, body TEXT)");
            statement.execute("INSERT INTO articles VALUES (1, 'en', 'a text'), (2, 'de', 'ein Text')");
        }
    }
}
