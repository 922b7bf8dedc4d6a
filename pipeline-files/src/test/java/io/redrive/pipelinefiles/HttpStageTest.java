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

    private TroubleServer server;

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void a_request_is_made_of_templates_and_the_answer_goes_where_it_belongs() throws Exception {
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
    void a_secret_in_the_query_the_user_or_a_header_is_in_no_error() throws Exception {
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
    void the_sample_is_the_body_and_the_answer_the_result_unless_told_otherwise() throws Exception {
        serve(request -> Answer.ok(request.body().replace("1", "2")));

        Plant plant = new Plant(folder).run(stage(""), "{\"n\":1}", "{\"n\":11}");

        assertThat(plant.output).containsExactlyInAnyOrder("{\"n\":2}", "{\"n\":22}");
        assertThat(server.requests).allMatch(request -> request.method().equals("POST"));
    }

    @Test
    void a_body_of_text_is_text_and_an_answer_may_be_too() throws Exception {
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
    void transient_statuses_are_retried_and_others_are_not() throws Exception {
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
    void statuses_given_in_the_file_replace_the_usual_ones_and_leave_the_rest() throws Exception {
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
    void what_became_of_a_connection_is_told_by_kind_and_in_words() throws Exception {
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
    void time_limits_and_connections_may_be_retried_by_their_kind() throws Exception {
        failOnce(Map.of("/reset", new Answer.Reset(), "/hang", new Answer.Hang()));
        String rules =
                "    time-limit: 2s\n    retry: {backoff: none, retry-on: [java.lang.Error], retry-on-kind: [timeout]}\n";

        Plant plant = new Plant(folder).run(byPath(rules), path("hang"), path("reset"));

        assertThat(plant.attempts(0)).extracting(StageAttempt::errorType).containsExactly("timeout", "");
        assertThat(plant.attempts(1)).extracting(StageAttempt::errorType).containsExactly("econnreset");
    }

    @Test
    void an_answer_that_was_cut_off_is_no_answer_however_much_it_looks_like_one() throws Exception {
        failOnce(Map.of("/cut", new Answer.Cut(6, "123")));

        Plant plant = new Plant(folder).run(byPath(QUICK), path("cut"));

        assertThat(plant.output).containsExactly("1");
        assertThat(plant.attempts(0)).extracting(StageAttempt::errorType).containsExactly("econnreset", "");
    }

    @Test
    void a_service_that_is_not_there_is_asked_again() throws Exception {
        serve(request -> Answer.ok("1"));
        server.close();

        Plant plant = new Plant(folder).run("failure-budget: 1\n" + stage(QUICK), "1");

        assertThat(plant.attempts(0))
                .hasSize(4)
                .allMatch(line -> line.errorType().equals("econnrefused"));
        assertThat(plant.dead())
                .singleElement()
                .satisfies(dead -> assertThat(dead.sample().death().reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    @Test
    void retry_after_holds_up_the_whole_stage() throws Exception {
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
        // Not only the sample that was refused: nobody calls before the second is over.
        assertThat(times).hasSize(21);
        assertThat(Duration.between(times.get(0), times.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(950));
    }

    @Test
    void retry_after_may_be_a_date() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        // Whole seconds, so that at least one of the two is left.
        serve(request -> calls.incrementAndGet() == 1
                ? Answer.busy(DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(2)))
                : Answer.ok("1"));

        Plant plant = new Plant(folder).run(stage(QUICK), "1");

        assertThat(plant.output).hasSize(1);
        assertThat(plant.attempts(0).get(0).delay()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
    }

    @Test
    void a_server_that_goes_on_refusing_costs_the_attempts_that_there_are_and_no_more() throws Exception {
        serve(request -> Answer.busy("0"));

        Plant plant = new Plant(folder).run(stage(QUICK), "1");

        assertThat(server.requests).hasSize(4);
        assertThat(plant.dead()).singleElement().satisfies(dead -> {
            assertThat(dead.sample().death().reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(dead.sample().death().errorType()).isEqualTo("http_429");
        });
    }

    @Test
    void calls_are_no_more_frequent_than_the_file_allows() throws Exception {
        serve(request -> Answer.ok("1"));

        Plant plant = new Plant(folder).run(stage("    rate-limit: 20/s\n"), numbers(11));

        List<Instant> begun = IntStream.range(0, 11)
                .mapToObj(sample -> plant.attempts(sample).get(0).at())
                .sorted()
                .toList();
        // Ten gaps of 50 ms, but for what a late caller may catch up with.
        assertThat(Duration.between(begun.get(0), begun.get(10))).isGreaterThan(Duration.ofMillis(400));
    }

    @Test
    void as_many_calls_as_the_file_allows_are_under_way_at_once() throws Exception {
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
    void connections_are_used_again_and_no_more_are_open_than_work_at_once() throws Exception {
        serve(request -> Answer.ok("1"));

        Plant plant = new Plant(folder).run(stage("    concurrency: 4\n"), numbers(300));

        assertThat(plant.output).hasSize(300);
        assertThat(server.connections()).isLessThanOrEqualTo(4);
    }

    @Test
    void no_error_names_what_is_in_a_query() throws Exception {
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
                .allSatisfy(dead -> assertThat(dead.sample().death().message())
                        .contains("the answer of POST ")
                        .doesNotContain("s3cret")
                        .doesNotContain("key="));
    }

    @Test
    void an_answer_that_is_too_large_is_neither_kept_nor_asked_for_again() throws Exception {
        serve(request -> Answer.ok("\"" + "x".repeat(5_000_000) + "\""));

        Plant plant = new Plant(folder).run("max-payload: 100KB\n" + stage(QUICK), "1");

        assertThat(plant.attempts(0)).hasSize(1);
        assertThat(plant.dead().get(0).sample().death().errorType()).isEqualTo("bad_sample");
        assertThat(plant.dead().get(0).sample().death().message())
                .isEqualTo("the answer of POST " + server.url("/")
                        + " must have at most 100000 bytes, which is max-payload of the pipeline, got more");
    }

    @Test
    void an_answer_that_is_not_what_was_agreed_is_asked_for_again() throws Exception {
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
    void bad_samples_are_accounted_for_and_stop_nothing() throws Exception {
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
                .extracting(dead -> dead.sample().death().errorType())
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
    void an_array_of_the_wrong_length_gives_nobody_the_part_of_another() throws Exception {
        serve(request -> Answer.ok("[1]"));

        Plant plant =
                new Plant(folder).run(stage("    batch: {size: 2, wait: 2s}\n    retry: {enabled: false}\n"), "1", "2");

        // Apart, each gets one answer for one sample.
        assertThat(plant.output).containsExactly("1", "1");
        assertThat(plant.attempts(0).get(0).message())
                .isEqualTo("the answer must hold an array of 2, one for each sample, at '', got 1");
    }

    private void serve(Function<TroubleServer.Request, Answer> answers) throws IOException {
        server = new TroubleServer(answers);
    }

    /** The first request to each path gets this; later ones are fine, and those that are not listed fail for good. */
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
