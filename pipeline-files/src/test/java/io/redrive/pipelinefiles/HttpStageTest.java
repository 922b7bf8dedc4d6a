package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.StageAttempt;
import io.redrive.pipelinefiles.TroubleServer.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class HttpStageTest {

    private static final String QUICK = "    retry: {backoff: fixed, initial-delay: 1ms, max-attempts: 4}\n";

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // Each test starts its server.
    private TroubleServer server;

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void a_request_is_rendered_from_templates_and_the_picked_answer_put_into_the_sample() throws Exception {
        serve(request -> Answer.ok("{\"choices\":[{\"text\":\"short\"}]}"));

        Plant plant = new Plant(folder, Map.of("KEY", "s3cret")).run("""
                id: /id
                stages:
                  - http: summarize
                    method: put
                    url: %s?lang=${/lang:-en}&id=${id}
                    headers:
                      Authorization: Bearer ${env:KEY}
                      Idempotency-Key: ${run}/${ordinal}
                    body:
                      model: small
                      max: 100
                      prompt: "Summarize: ${/text}"
                      tags: ${/tags}
                    pick: /choices/0/text
                    into: /summary
                """.formatted(server.url("/v1")), """
                {"id":"a b","text":"say \\"hi\\"","tags":["x",1]}""");

        assertThat(plant.output).containsExactly("""
                {"id":"a b","text":"say \\"hi\\"","tags":["x",1],"summary":"short"}""");
        TroubleServer.Request request = server.requests.get(0);
        assertThat(request.method()).isEqualTo("PUT");
        assertThat(request.path()).isEqualTo("/v1?lang=en&id=a%20b");
        assertThat(request.headers())
                .containsEntry("authorization", "Bearer s3cret")
                .containsEntry("idempotency-key", "test-run/0")
                .containsEntry("content-type", "application/json")
                .doesNotContainKey("upgrade");
        assertThat(request.body()).isEqualTo("""
                {"model":"small","max":100,"prompt":"Summarize: say \\"hi\\"","tags":["x",1]}""");
    }

    @Test
    void errors_show_no_secret_of_query_user_or_header() throws Exception {
        serve(request -> request.path().contains("reset") ? new Answer.Reset() : Answer.status(500));
        String with = server.url("/v1").replace("http://", "http://ann:${env:KEY}@");
        String yaml = """
                early-stop: off
                failure-budget: 1
                stages:
                  - http: ask
                    url: %s?${/how}&key=${env:KEY}
                    headers: {Authorization: "${env:KEY} ${/header}"}
                    retry: {enabled: false}
                """;

        for (String url : List.of(server.url("/v1"), with, "http://127.0.0.1:1/v1")) {
            Plant plant = new Plant(folder, Map.of("KEY", "s3cret"))
                    .run(
                            yaml.formatted(url),
                            "{\"how\":\"fail\",\"header\":\"x\"}",
                            "{\"how\":\"reset\",\"header\":\"x\"}",
                            "{\"how\":\"fail\",\"header\":\"two\\nlines\"}");

            assertThat(plant.dead()).hasSize(3);
            assertThat(plant.dead().toString())
                    .contains("/v1", "printable characters only")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void by_default_the_sample_is_the_body_and_the_answer_the_result() throws Exception {
        serve(request -> Answer.ok(request.body().replace("1", "2")));

        Plant plant = new Plant(folder).run(stage(""), "{\"n\":1}", "{\"n\":11}");

        assertThat(plant.output).containsExactlyInAnyOrder("{\"n\":2}", "{\"n\":22}");
        assertThat(server.requests).allMatch(request -> request.method().equals("POST"));
    }

    @Test
    void body_and_answer_can_be_plain_text() throws Exception {
        serve(request -> Answer.ok(request.body() + " \"yes\"\n"));

        Plant plant = new Plant(folder).run(stage("""
                    body: 'q: ${/q}'
                    answer: text
                    into: /a
                """), "{\"q\":\"why?\"}");

        assertThat(plant.output).containsExactly("{\"q\":\"why?\",\"a\":\"q: why? \\\"yes\\\"\\n\"}");
        assertThat(server.requests.get(0).headers()).containsEntry("content-type", "text/plain; charset=utf-8");
    }

    @Test
    void a_get_has_no_body() throws Exception {
        serve(request -> Answer.ok("{\"path\":\"" + request.path() + "\"}"));

        Plant plant = new Plant(folder).run("""
                stages:
                  - http: look
                    method: GET
                    url: %s/${/id}
                    pick: /path
                """.formatted(server.url("/items")), "{\"id\":\"a/b\"}");

        assertThat(plant.output).containsExactly("\"/items/a%2Fb\"");
        assertThat(server.requests.get(0).body()).isEmpty();
    }

    @Test
    void only_transient_statuses_are_retried() throws Exception {
        failOnce(Map.of("/500", Answer.status(500), "/503", Answer.status(503), "/408", Answer.status(408)));

        Plant plant = new Plant(folder)
                .run(byPath(QUICK), path("500"), path("503"), path("408"), path("404"), path("401"), path("302"));

        assertThat(plant.output).hasSize(3);
        assertThat(plant.end.status()).isEqualTo(RunStatus.PARTIAL_SUCCESS);
        assertThat(plant.attempts(0)).extracting(StageAttempt::errorType).containsExactly("http_500", "");
        assertThat(plant.attempts(3)).extracting(StageAttempt::errorType).containsExactly("http_404");
        assertThat(plant.attempts(4).get(0).message())
                .isEqualTo("HTTP 401: {\"error\":\"because\"} (POST " + server.url("/401") + ")");
        assertThat(plant.attempts(5)).extracting(StageAttempt::errorType).containsExactly("http_302");
    }

    @Test
    void statuses_of_the_file_replace_the_default_statuses_only() throws Exception {
        failOnce(Map.of("/500", Answer.status(500), "/418", Answer.status(418), "/reset", new Answer.Reset()));

        Plant plant = new Plant(folder)
                .run(
                        byPath("    retry: {backoff: none, retry-on-status: [418]}\n"),
                        path("500"),
                        path("418"),
                        path("reset"));

        assertThat(plant.output).hasSize(2);
        assertThat(plant.attempts(0)).hasSize(1);
        assertThat(plant.attempts(1)).hasSize(2);
        assertThat(plant.attempts(2)).hasSize(2);
    }

    @Test
    void resets_hangs_and_slow_drips_are_survived() throws Exception {
        failOnce(Map.of(
                "/reset", new Answer.Reset(),
                "/hang", new Answer.Hang(),
                "/drip", new Answer.Drip(100_000, Duration.ofMillis(20))));

        Plant plant = new Plant(folder)
                .run(
                        byPath(QUICK + "    time-limit: 700ms\n"),
                        path("reset"),
                        path("hang"),
                        path("drip"),
                        path("good"));

        assertThat(plant.output).hasSize(4);
        assertThat(plant.attempts(0)).hasSize(2);
        assertThat(plant.attempts(1).get(0).errorType()).isEqualTo("timeout");
        assertThat(plant.attempts(2).get(0).errorType()).isEqualTo("timeout");
    }

    @Test
    void a_broken_connection_has_a_kind_and_a_message() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        failOnce(Map.of("/reset", new Answer.Reset()));
        String refused = "http://127.0.0.1:" + closed + "/x";
        String stage = "stages:\n  - http: ask\n    url: ${/url}\n    retry: {max-attempts: 1}\n";

        Plant plant = new Plant(folder)
                .run(
                        stage,
                        "{\"url\":\"" + refused + "\"}",
                        "{\"url\":\"http://nobody.invalid/\"}",
                        "{\"url\":\"" + server.url("/reset") + "\"}");

        assertThat(plant.attempts(0).get(0))
                .returns("econnrefused", StageAttempt::errorType)
                .returns("connection refused (POST " + refused + ")", StageAttempt::message);
        assertThat(plant.attempts(1).get(0))
                .returns("unknown_host", StageAttempt::errorType)
                .returns("host 'nobody.invalid' is not known (POST http://nobody.invalid/)", StageAttempt::message);
        assertThat(plant.attempts(2).get(0).errorType()).isEqualTo("econnreset");
        assertThat(plant.attempts(2).get(0).message()).startsWith("connection broken: ");
    }

    @Test
    void timeouts_and_broken_connections_can_be_retried_by_kind() throws Exception {
        failOnce(Map.of("/reset", new Answer.Reset(), "/hang", new Answer.Hang()));
        String rules =
                "    time-limit: 2s\n    retry: {backoff: none, retry-on: [java.lang.Error], retry-on-kind: [timeout]}\n";

        Plant plant = new Plant(folder).run(byPath(rules), path("hang"), path("reset"));

        assertThat(plant.attempts(0)).extracting(StageAttempt::errorType).containsExactly("timeout", "");
        assertThat(plant.attempts(1)).extracting(StageAttempt::errorType).containsExactly("econnreset");
    }

    @Test
    void a_truncated_answer_is_a_failure_even_if_it_is_valid_json() throws Exception {
        failOnce(Map.of("/cut", new Answer.Cut(6, "123")));

        Plant plant = new Plant(folder).run(byPath(QUICK), path("cut"));

        assertThat(plant.output).containsExactly("1");
        assertThat(plant.attempts(0)).extracting(StageAttempt::errorType).containsExactly("econnreset", "");
    }

    @Test
    void a_service_that_refuses_connections_is_called_again() throws Exception {
        serve(request -> Answer.ok("1"));
        server.close();

        Plant plant = new Plant(folder).run("failure-budget: 1\n" + stage(QUICK), "1");

        assertThat(plant.attempts(0))
                .hasSize(4)
                .allMatch(line -> line.errorType().equals("econnrefused"));
        assertThat(plant.dead())
                .singleElement()
                .satisfies(dead -> assertThat(dead.death().reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    @Test
    void retry_after_pauses_the_whole_stage() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        List<Instant> times = Collections.synchronizedList(new ArrayList<>());
        serve(request -> {
            times.add(Instant.now());
            return calls.incrementAndGet() == 1 ? Answer.busy("1") : Answer.ok("1");
        });

        Plant plant = new Plant(folder).run(stage(QUICK + "    concurrency: 1\n"), numbers(20));

        assertThat(plant.output).hasSize(20);
        assertThat(plant.attempts(0).get(0))
                .returns("http_429", StageAttempt::errorType)
                .returns(Duration.ofSeconds(1), StageAttempt::delay);
        // The pause holds for all samples of the stage: no call before the second is over.
        assertThat(times).hasSize(21);
        assertThat(Duration.between(times.get(0), times.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(950));
    }

    @Test
    void retry_after_may_be_a_date() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        // The date has whole seconds: of two seconds, at least one remains.
        serve(request -> calls.incrementAndGet() == 1
                ? Answer.busy(DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(2)))
                : Answer.ok("1"));

        Plant plant = new Plant(folder).run(stage(QUICK), "1");

        assertThat(plant.output).hasSize(1);
        assertThat(plant.attempts(0).get(0).delay()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
    }

    @Test
    void a_server_that_keeps_refusing_costs_no_more_than_max_attempts() throws Exception {
        serve(request -> Answer.busy("0"));

        Plant plant = new Plant(folder).run(stage(QUICK), "1");

        assertThat(server.requests).hasSize(4);
        assertThat(plant.dead()).singleElement().satisfies(dead -> {
            assertThat(dead.death().reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(dead.death().errorType()).isEqualTo("http_429");
        });
    }

    @Test
    void calls_keep_the_rate_limit_of_the_file() throws Exception {
        serve(request -> Answer.ok("1"));

        Plant plant = new Plant(folder).run(stage("    rate-limit: 20/s\n"), numbers(11));

        List<Instant> begun = IntStream.range(0, 11)
                .mapToObj(sample -> plant.attempts(sample).get(0).at())
                .sorted()
                .toList();
        // Ten gaps of 50 ms, less the time that a late caller may catch up.
        assertThat(Duration.between(begun.get(0), begun.get(10))).isGreaterThan(Duration.ofMillis(400));
    }

    @Test
    void concurrent_calls_reach_the_concurrency_of_the_file() throws Exception {
        CountDownLatch together = new CountDownLatch(12);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        serve(request -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            together.countDown();
            awaitAll(together);
            now.decrementAndGet();
            return Answer.ok("1");
        });

        Plant plant = new Plant(folder).run(stage("    concurrency: 12\n"), numbers(60));

        assertThat(plant.output).hasSize(60);
        assertThat(most).hasValue(12);
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void connections_are_reused_up_to_the_concurrency() throws Exception {
        serve(request -> Answer.ok("1"));

        Plant plant = new Plant(folder).run(stage("    concurrency: 4\n"), numbers(300));

        assertThat(plant.output).hasSize(300);
        assertThat(server.connections()).isLessThanOrEqualTo(4);
    }

    @Test
    void errors_do_not_show_the_query() throws Exception {
        serve(request -> Answer.ok(request.path().startsWith("/broken") ? "{no json" : "x".repeat(300_000)));

        Plant plant = new Plant(folder, Map.of("KEY", "s3cret"))
                .run("""
                max-payload: 100KB
                failure-budget: 100%%
                stages:
                  - http: ask
                    url: %s?key=${env:KEY}
                    retry: {max-attempts: 1}
                """.formatted(server.url("/${/path}")), path("broken"), path("large"));

        assertThat(plant.dead())
                .hasSize(2)
                .allSatisfy(dead -> assertThat(dead.death().message())
                        .contains("the answer of POST ")
                        .doesNotContain("s3cret")
                        .doesNotContain("key="));
    }

    @Test
    void an_answer_over_the_size_limit_is_neither_kept_nor_retried() throws Exception {
        serve(request -> Answer.ok("\"" + "x".repeat(5_000_000) + "\""));

        Plant plant = new Plant(folder).run("max-payload: 100KB\n" + stage(QUICK), "1");

        assertThat(plant.attempts(0)).hasSize(1);
        assertThat(plant.dead().get(0).death().errorType()).isEqualTo("bad_sample");
        assertThat(plant.dead().get(0).death().message())
                .isEqualTo("the answer of POST " + server.url("/")
                        + " must have at most 100000 bytes, which is max-payload of the pipeline, got more");
    }

    @Test
    void a_bad_answer_is_retried() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        serve(request -> switch (calls.incrementAndGet()) {
            case 1 -> Answer.ok("<html>");
            case 2 -> Answer.ok("{\"b\":1}");
            default -> Answer.ok("{\"a\":1}");
        });

        Plant plant = new Plant(folder).run(stage(QUICK + "    pick: /a\n"), "{}");

        assertThat(plant.output).containsExactly("1");
        assertThat(plant.attempts(0).get(0).message()).contains("is not JSON");
        assertThat(plant.attempts(0).get(1).message()).isEqualTo("the answer must have a value at /a, got {\"b\":1}");
    }

    @Test
    void bad_samples_are_counted_as_dead_and_the_run_continues() throws Exception {
        serve(request -> Answer.ok("1"));

        Plant plant = new Plant(folder)
                .run(
                        "id: /id\nfailure-budget: 100%\n" + stage("    body: {q: '${/q}'}\n"),
                        "{\"id\":1,\"q\":2}",
                        "{\"id\":2",
                        "{\"q\":3}",
                        "{\"id\":4,\"q\":null}",
                        "{\"id\":5}");

        assertThat(plant.output).hasSize(2);
        assertThat(plant.dead())
                .extracting(dead -> dead.death().errorType())
                .containsExactlyInAnyOrder("malformed_json", "no_id", "bad_sample");
    }

    @Test
    void a_batch_is_one_call_and_each_sample_gets_its_part() throws Exception {
        serve(request -> {
            JsonValue.Arr input = (JsonValue.Arr)
                    JsonValue.parse(request.body()).at(Parse.pointer("/input")).orElseThrow();
            String data = input.items().stream()
                    .map(item -> "{\"embedding\":[" + item.text().length() + "]}")
                    .reduce((a, b) -> a + "," + b)
                    .orElse("");
            return Answer.ok("{\"data\":[" + data + "]}");
        });

        Plant plant =
                new Plant(folder).run(stage("""
                    batch: {size: 4, wait: 2s}
                    item: ${/text}
                    body: {model: e, input: '${}'}
                    pick: /data
                    pick-each: /embedding
                    into: /vector
                """), "{\"text\":\"a\"}", "{\"text\":\"bb\"}", "{}", "{\"text\":\"ccc\"}");

        assertThat(plant.output)
                .containsExactlyInAnyOrder(
                        "{\"text\":\"a\",\"vector\":[1]}",
                        "{\"text\":\"bb\",\"vector\":[2]}",
                        "{\"text\":\"ccc\",\"vector\":[3]}");
        assertThat(server.requests).hasSize(1);
        assertThat(plant.dead()).hasSize(1);
    }

    @Test
    void an_array_of_the_wrong_length_is_a_bad_answer_for_the_whole_batch() throws Exception {
        serve(request -> Answer.ok("[1]"));

        Plant plant =
                new Plant(folder).run(stage("    batch: {size: 2, wait: 2s}\n    retry: {enabled: false}\n"), "1", "2");

        // The batch is split, and each sample gets its own call with one answer.
        assertThat(plant.output).containsExactly("1", "1");
        assertThat(plant.attempts(0).get(0).message())
                .isEqualTo("the answer must hold an array of 2, one for each sample, at '', got 1");
    }

    private void serve(Function<TroubleServer.Request, Answer> answers) throws IOException {
        server = new TroubleServer(answers);
    }

    /** Serves the listed answer to the first request of a path, and 200 later; unlisted paths such as /500 always get that status. */
    private void failOnce(Map<String, Answer> first) throws IOException {
        Map<String, AtomicInteger> calls = new java.util.concurrent.ConcurrentHashMap<>();
        serve(request -> {
            int call = calls.computeIfAbsent(request.path(), path -> new AtomicInteger())
                    .incrementAndGet();
            String path = request.path();
            if (path.matches("/\\d+") && !first.containsKey(path)) {
                return Answer.status(Integer.parseInt(path.substring(1)));
            }
            return call == 1 && first.containsKey(path) ? first.get(path) : Answer.ok("1");
        });
    }

    private String stage(String more) {
        return "stages:\n  - http: ask\n    url: " + server.url("/") + "\n" + more;
    }

    private String byPath(String more) {
        return "failure-budget: 100%\nstages:\n  - http: ask\n    url: " + server.url("/${/path}") + "\n" + more;
    }

    private static String path(String path) {
        return "{\"path\":\"" + path + "\"}";
    }

    private static String[] numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new);
    }
}
