package io.redrive.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.redrive.events.LetterFilter;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.Pipeline;
import io.redrive.server.DeadLetterSeed;
import io.redrive.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationReloadIT {

    /** Twice the promise of two seconds, for machines under load. */
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private void write(String yaml) throws IOException {
        Files.writeString(folder.resolve("redrive.yml"), yaml);
    }

    private static int attempts(TestServer server) {
        return server.get("/api/v1/policies/explain?name=order.paid")
                        .json()
                        .path("rows")
                        .size()
                + 1;
    }

    private static String refusal(TestServer server) {
        return server.get("/api/v1/status").json().at("/configuration/refusal").asString("");
    }

    private static String shownNote(TestServer server) {
        return server.get("/api/v1/letters/1").body();
    }

    @Test
    void redaction_and_retention_follow_the_file() throws IOException {
        try (var seed = new DeadLetterSeed(folder.resolve("events.db"))) {
            seed.die("a", "{\"note\":\"secret-1\",\"other\":\"secret-2\"}", "refused");
        }
        try (TestServer server = TestServer.start(folder, "redaction: {rules: [/note]}\n")) {
            assertThat(shownNote(server)).contains("secret-2").doesNotContain("secret-1");

            write("redaction: {rules: [/other]}\nretention: {older-than: 3650d, folder: %s}\n".formatted(folder));
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(shownNote(server)).contains("secret-1").doesNotContain("secret-2"));
            assertThat(server.bean("liveLetterRules", LiveLetterRules.class).retention())
                    .isPresent();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(server.get("/api/v1/actions?action=configure")
                                    .body())
                            .contains("redaction.rules[0]", "retention.older-than"));

            write("redaction: {rules: ['pattern:(']}\n");
            await().atMost(SOON).untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:1"));
            write("redaction: {rules: [/note]}\nretention: {older-than: 30d}\n");
            await().atMost(SOON).untilAsserted(() -> assertThat(refusal(server)).contains("retention"));
            assertThat(shownNote(server)).contains("secret-1").doesNotContain("secret-2");
        }
    }

    @Test
    void alert_thresholds_follow_the_file_everywhere() throws IOException {
        try (var seed = new DeadLetterSeed(folder.resolve("events.db"))) {
            seed.die("a", "{}", "refused");
            seed.die("b", "{}", "refused");
        }
        try (TestServer server = TestServer.start(folder, "alerts: {dead-letters: 5}\n")) {
            assertThat(server.get("/api/v1/status").json().path("alerts")).isEmpty();

            write("alerts: {dead-letters: 1}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(server.get("/api/v1/status")
                                    .json()
                                    .at("/alerts/0/threshold")
                                    .asDouble())
                            .isEqualTo(1));
            assertThat(server.get("/redrive").body()).contains("dead letters 2, limit 1, above the limit");
            assertThat(server.post(
                                    "/mcp",
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"alerts\",\"arguments\":{}}}",
                                    "Accept",
                                    "application/json, text/event-stream")
                            .body())
                    .contains("dead_letters")
                    .containsPattern("threshold\\W+1\\.0");
            Pipeline pipeline = server.bean("redrivePipeline", Pipeline.class);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(pipeline.alerts().current())
                            .filteredOn(state -> state.kind() == Alerts.Kind.DEAD_LETTERS)
                            .allMatch(state -> state.raised() && state.threshold() == 1));

            write("alerts: {dead-letters: -1}\n");
            await().atMost(SOON).untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:1"));
            assertThat(server.get("/api/v1/alerts").body()).contains("\"threshold\":1");
        }
    }

    private static String loaded(String url, int concurrency) {
        return """
                routes:
                  load: {events: "load.*", url: "%s", plain-http: true, signature: none, concurrency: %d}
                webhooks: {allow: [127.0.0.1/32]}
                events: {policies: {load.*: {max-attempts: %d}}}
                limits: {page: %d}
                """.formatted(url, concurrency, concurrency + 1, 100 + concurrency);
    }

    @Test
    void changes_under_load_lose_no_event() throws Exception {
        Set<String> received = ConcurrentHashMap.newKeySet();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 100);
        ExecutorService threads = Executors.newCachedThreadPool();
        receiver.setExecutor(threads);
        receiver.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(204, -1);
                received.add(exchange.getRequestHeaders().getFirst("webhook-id"));
            }
        });
        receiver.start();
        String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicBoolean publishing = new AtomicBoolean(true);
        try (TestServer server = TestServer.start(folder, loaded(url, 1))) {
            List<Future<?>> publishers = new ArrayList<>();
            for (int p = 0; p < 2; p++) {
                String prefix = "p" + p + "-";
                publishers.add(threads.submit(() -> {
                    for (int i = 0; publishing.get(); i++) {
                        String event = "{\"name\":\"load.made\",\"source\":\"test\",\"id\":\"" + prefix + i + "\"}";
                        assertThat(server.post("/api/v1/events", event).status())
                                .isEqualTo(202);
                        acknowledged.add(prefix + i);
                    }
                }));
            }
            ConfigurationReload reload = server.bean("configurationReload", ConfigurationReload.class);
            for (int change = 2; change <= 20; change++) {
                write(change % 5 == 0 ? "routes: {load: {}}" : loaded(url, change));
                reload.reload();
                assertThat(reload.state().refusal().isPresent()).isEqualTo(change % 5 == 0);
                int before = received.size();
                await().atMost(SOON.multipliedBy(6)).until(() -> received.size() > before);
            }
            publishing.set(false);
            for (Future<?> publisher : publishers) {
                publisher.get(60, TimeUnit.SECONDS);
            }
            await().atMost(SOON.multipliedBy(6))
                    .untilAsserted(() -> assertThat(received).containsExactlyInAnyOrderElementsOf(acknowledged));
            assertThat(server.store().deadLetters().count(LetterFilter.ALL)).isZero();
        } finally {
            publishing.set(false);
            receiver.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    void a_valid_change_is_in_force_and_recorded_and_an_invalid_one_is_refused() throws IOException {
        try (TestServer server = TestServer.start(folder, "events: {policies: {order.*: {max-attempts: 4}}}\n")) {
            assertThat(attempts(server)).isEqualTo(4);

            write("events: {policies: {order.*: {max-attempts: 6}}}\nlimits: {page: 7}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(attempts(server)).isEqualTo(6));
            assertThat(server.get("/api/v1/letters?limit=8").body()).contains("must be 1 to 7");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(server.get("/api/v1/actions?action=configure")
                                    .body())
                            .contains("events.policies[order.*].max-attempts", "limits.page", "configuration"));

            write("limits: {page: 9}\nevents: {policies: {order.*: {max-atempts: 9}}}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:2", "max-attempts"));
            assertThat(attempts(server)).isEqualTo(6);
            assertThat(server.get("/api/v1/letters?limit=8").body()).contains("must be 1 to 7");

            write("http: {port: 9999}\nevents: {policies: {order.*: {max-attempts: 9}}}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:1", "needs a restart"));
            assertThat(attempts(server)).isEqualTo(6);

            write("events: {policies: {order.*: {max-attempts: 5}}}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(attempts(server)).isEqualTo(5));
            assertThat(refusal(server)).isEmpty();

            Files.delete(folder.resolve("redrive.yml"));
            assertThat(attempts(server)).isEqualTo(5);
        }
    }
}
