package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.items.CallCost;
import io.redrive.items.store.Price;
import io.redrive.items.store.StageSpending;
import io.redrive.pipelinefiles.TroubleServer.Answer;
import java.io.StringReader;
import java.net.http.HttpHeaders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Node;

/** HTTP stages that are limited by tokens. */
@Timeout(120)
final class TokenLimitTest {

    @TempDir
    private Path folder;

    @Test
    void a_stage_with_a_token_limit_calls_and_reads_the_tokens_of_its_answers() throws Exception {
        List<String> usages = List.of("12", "-5", "\"x\"", "99999999999999999999");
        try (TroubleServer server = new TroubleServer(request -> Answer.ok(
                "{\"usage\":{\"total_tokens\":" + usages.get(request.body().charAt(5) - '0') + "}}"))) {
            Plant plant = new Plant(folder)
                    .run(
                            stage(
                                    server.url("/"),
                                    "{calls: 50/s, tokens: 10_000_000/s, estimate: /n, actual: /usage/total_tokens, price: 0.15 USD/1M}"),
                            "{\"n\":0}",
                            "{\"n\":1}",
                            "{\"n\":2}",
                            "{\"n\":3}",
                            "{\"m\":4}");

            assertThat(plant.end.balance().succeeded()).isEqualTo(4);
            assertThat(plant.store.archive().spending(Plant.RUN))
                    .containsExactly(new StageSpending(
                            "ask", "tokens", Optional.of(Price.parse("0.15 USD/1M")), StageSpending.MOST, 1 + 2));
            assertThat(plant.dead()).hasSize(1);
            assertThat(plant.dead().get(0).death().message())
                    .contains("the sample must have an estimate of 0 to 10000000 tokens, the whole limit, at /n");
        }
    }

    @Test
    void rate_limit_headers_are_passed_on_and_malformed_headers_ignored() {
        List<Long> heard = new ArrayList<>();
        CallCost cost = new CallCost() {
            @Override
            public void actual(long spent) {
                throw new AssertionError("nothing was answered");
            }

            @Override
            public void observed(long allowed, long remaining) {
                heard.addAll(List.of(allowed, remaining));
            }

            @Override
            public void hold(Duration wait) {
                throw new AssertionError("no reset was reported");
            }
        };
        HttpHeaders good = headers(
                Map.of("X-RateLimit-Limit-Tokens", List.of("50"), "X-RateLimit-Remaining-Tokens", List.of("0")));

        read("{tokens: 60_000/min, estimate: 10, actual: /t}").observe(good, cost);
        read("{tokens: 60_000/h, estimate: 10, actual: /t}").observe(good, cost);
        read("{tokens: 60_000/min, estimate: 10, actual: /t}")
                .observe(headers(Map.of("x-ratelimit-remaining-tokens", List.of("-1 or so"))), cost);

        assertThat(heard).containsExactly(50L, 0L, -1L, 0L, -1L, -1L);
    }

    @Test
    void a_server_without_requests_or_tokens_holds_calls_until_its_reset() {
        assertThat(held("requests", "0", "6m0s")).containsExactly(Duration.ofMinutes(6));
        assertThat(held("tokens", "0", "1.5s")).containsExactly(Duration.ofMillis(1_500));
        assertThat(held("requests", "0", "120ms")).containsExactly(Duration.ofMillis(120));
        assertThat(held("requests", "0", "1d2h3m4s"))
                .containsExactly(Duration.ofDays(1).plusHours(2).plusMinutes(3).plusSeconds(4));
        assertThat(held("tokens", "0", "20")).containsExactly(Duration.ofSeconds(20));
        assertThat(held("requests", "1", "6m0s")).as("one request remains").isEmpty();
        assertThat(held("requests", "0", "soon")).isEmpty();
        assertThat(held("requests", "0", "")).isEmpty();
        assertThat(held("requests", "0", "-5s")).isEmpty();
    }

    private List<Duration> held(String what, String remaining, String reset) {
        List<Duration> held = new ArrayList<>();
        CallCost cost = new CallCost() {
            @Override
            public void actual(long spent) {}

            @Override
            public void observed(long allowed, long left) {}

            @Override
            public void hold(Duration wait) {
                held.add(wait);
            }
        };
        HttpHeaders headers = headers(Map.of(
                "x-ratelimit-remaining-" + what, List.of(remaining), "x-ratelimit-reset-" + what, List.of(reset)));
        read("{tokens: 60_000/min, estimate: 10, actual: /t}").observe(headers, cost);
        return held;
    }

    @Test
    void wrong_limits_are_refused_with_their_position() {
        refused("{tokens: 90_000/min, actual: /t}", "rate-limit: must have 'estimate', such as 1200");
        refused("{tokens: 90_000/min, estimate: 1}", "rate-limit: must have 'actual', such as /usage/total_tokens");
        refused("{estimate: 1, actual: /t}", "rate-limit: must have 'tokens', such as 90_000/min");
        refused("{tokens: 0/min, estimate: 1, actual: /t}", "must be between 1 and");
        refused("{tokens: 90_000, estimate: 1, actual: /t}", "tokens: must be tokens per time, such as 90_000/min");
        refused(
                "{tokens: 1_000/min, estimate: 1_001, actual: /t}",
                "estimate: must be at most the whole limit of 1000 tokens, got 1001");
        refused("{tokens: 1_000/min, estimate: -1, actual: /t}", "estimate: must be a whole number of at least 1");
        refused("{tokens: 1/s, estimate: 1, actual: usage}", "actual: must be a JSON pointer");
        refused("{tokens: 1/s, estimate: 1, actual: /t, prices: 3/1M}", "prices: must be a known key");
        refused("{tokens: 1/s, estimate: 1, actual: /t, price: 3}", "price: must be money for a number of units");
        assertThatThrownBy(() -> new Plant(folder)
                        .plan("stages:\n  - command: c\n    run: [cat]\n    rate-limit: {tokens: 1/s}\n"))
                .hasMessageContaining("rate-limit: must be calls per time for a command, such as 20/s");
    }

    private void refused(String limit, String message) {
        assertThatThrownBy(() -> new Plant(folder).plan(stage("http://localhost/", limit)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static String stage(String url, String limit) {
        return "status: {completed: 10%, partial: 10%}\nstages:\n  - http: ask\n    url: " + url + "\n    rate-limit: "
                + limit + "\n";
    }

    private TokenLimit read(String limit) {
        Node node = new Yaml().compose(new StringReader(limit));
        return TokenLimit.read(new YamlSection(new YamlValue(folder, "", node)), "ask");
    }

    private static HttpHeaders headers(Map<String, List<String>> headers) {
        return HttpHeaders.of(headers, (name, value) -> true);
    }
}
