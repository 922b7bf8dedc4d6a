package io.redrive.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.RetryPolicy;
import io.redrive.examples.figures.Findings;
import io.redrive.examples.figures.Findings.RateLimitCase;
import io.redrive.examples.figures.Tables;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The claims the guide makes about jitter, budgets and rate limits, on the numbers it shows. */
final class SimulationTest {

    private static final Storm.Setting STORM = Storm.Setting.usual();

    // ---- Contention: the published comparison of jitter kinds ----

    @Test
    void full_jitter_needs_fewer_than_half_the_calls_of_exponential_backoff_without() {
        assertThat(contention("full jitter").calls())
                .isLessThan(contention("exponential, no jitter").calls() / 2);
    }

    @Test
    void full_jitter_completes_more_than_ten_times_sooner_than_exponential_backoff_without() {
        assertThat(contention("full jitter").millis())
                .isLessThan(contention("exponential, no jitter").millis() / 10);
    }

    @Test
    void without_backoff_contention_costs_the_most_calls_but_the_least_time() {
        Contention.Cost none = contention("no backoff");
        Findings.contention().forEach((name, byClients) -> {
            if (!name.equals("no backoff")) {
                assertThat(byClients.get(100).calls()).as(name).isLessThan(none.calls());
                assertThat(byClients.get(100).millis()).as(name).isGreaterThan(none.millis());
            }
        });
    }

    @Test
    void a_single_client_needs_one_call_and_four_messages() {
        Contention.Cost alone = Contention.mean(Contention.contestants().get("full jitter"), 1, 100);
        assertThat(alone.calls()).isEqualTo(1);
        assertThat(alone.millis()).isBetween(39.0, 41.0);
    }

    // ---- Storm: capacity lost for a while ----

    @Test
    void plain_retries_never_recover_with_or_without_jitter() {
        for (String plain : new String[] {"three retries, no jitter", "three retries, full jitter"}) {
            Timeline timeline = storm(plain);
            assertThat(timeline.recovery(STORM.cutUntil())).as(plain).isEmpty();
            assertThat(timeline.goodput(STORM.seconds() - 50, STORM.seconds()))
                    .as(plain)
                    .isLessThan(0.02 * STORM.load());
            assertThat(timeline.wasted(STORM.seconds() - 50, STORM.seconds()))
                    .as(plain)
                    .isGreaterThan(0.98);
        }
    }

    @Test
    void without_retries_the_system_recovers() {
        assertThat(storm("no retry").recovery(STORM.cutUntil()).orElseThrow()).isLessThan(15);
    }

    @Test
    void with_a_retry_budget_the_system_recovers_and_amplification_stays_within_a_tenth() {
        for (String budgeted : new String[] {"… with a retry budget", "… with both"}) {
            Timeline timeline = storm(budgeted);
            assertThat(timeline.recovery(STORM.cutUntil()).orElseThrow()).isLessThan(20);
            assertThat(timeline.mostCumulativeAmplification()).isLessThanOrEqualTo(1.1);
        }
    }

    @Test
    void a_breaker_alone_recovers_too_but_later_than_a_budget() {
        int breaker =
                storm("… with a circuit breaker").recovery(STORM.cutUntil()).orElseThrow();
        int budget = storm("… with a retry budget").recovery(STORM.cutUntil()).orElseThrow();
        assertThat(breaker).isGreaterThan(budget).isLessThan(30);
    }

    @Test
    void a_server_that_queues_less_than_its_clients_patience_recovers_from_plain_retries() {
        assertThat(Findings.storm(500)
                        .get("three retries, no jitter")
                        .recovery(STORM.cutUntil())
                        .orElseThrow())
                .isLessThan(10);
    }

    @Test
    void other_seeds_tell_the_same() {
        Map<String, StormClients> clients = StormClients.contestants();
        for (long seed = 2; seed <= 4; seed++) {
            Timeline plain = Storm.run(STORM, clients.get("three retries, full jitter"), seed);
            Timeline budgeted = Storm.run(STORM, clients.get("… with a retry budget"), seed);
            assertThat(plain.recovery(STORM.cutUntil())).as("seed " + seed).isEmpty();
            assertThat(budgeted.recovery(STORM.cutUntil())).as("seed " + seed).isPresent();
            assertThat(budgeted.mostCumulativeAmplification())
                    .as("seed " + seed)
                    .isLessThanOrEqualTo(1.1);
        }
    }

    @Test
    void a_healthy_server_needs_no_retries_and_loses_nothing() {
        Storm.Setting healthy =
                new Storm.Setting(STORM.load(), STORM.capacity(), 1.0, 0, 0, STORM.queue(), STORM.timeout(), 30);
        Timeline timeline = Storm.run(healthy, StormClients.contestants().get("three retries, full jitter"), 1);
        assertThat(timeline.amplification(0, 30)).isEqualTo(1.0);
        assertThat(timeline.goodput(0, 30)).isBetween(0.99 * timeline.load(0, 30), timeline.load(0, 30));
    }

    // ---- Rate limit: "80 % fewer 429s" and "30 % fewer retries than fixed backoff" ----

    @Test
    void with_three_attempts_jitter_saves_far_fewer_than_80_percent_of_the_429s() {
        for (int burst : new int[] {1, 5, 50}) {
            assertThat(savedByJitter(burst, 3)).as("burst " + burst).isBetween(0.10, 0.25);
        }
    }

    @Test
    void until_all_are_through_jitter_saves_80_percent_of_the_429s_unless_the_api_allows_bursts() {
        assertThat(savedByJitter(1, Tables.NO_LIMIT)).isGreaterThan(0.8);
        assertThat(savedByJitter(5, Tables.NO_LIMIT)).isGreaterThan(0.8);
        assertThat(savedByJitter(50, Tables.NO_LIMIT)).isLessThan(0.3);
    }

    @Test
    void with_three_attempts_exponential_backoff_saves_fewer_than_30_percent_of_the_retries() {
        for (int burst : new int[] {1, 5, 50}) {
            assertThat(savedByExponential(burst, 3)).as("burst " + burst).isBetween(0.0, 0.15);
        }
    }

    @Test
    void until_all_are_through_exponential_backoff_saves_more_than_30_percent_of_the_retries() {
        for (int burst : new int[] {1, 5, 50}) {
            assertThat(savedByExponential(burst, Tables.NO_LIMIT))
                    .as("burst " + burst)
                    .isGreaterThan(0.7);
        }
    }

    @Test
    void every_429_is_followed_by_a_retry_or_a_loss() {
        for (String wait : Findings.waits().keySet()) {
            RateLimit.Cost cost = Findings.rateLimit(new RateLimitCase(200, 5, 3, wait));
            assertThat(cost.limited()).as(wait).isEqualTo(cost.retries() + cost.lost());
        }
    }

    @Test
    void below_the_limit_nobody_is_refused() {
        RetryPolicy policy = Findings.waits().get("fixed");
        RateLimit.Cost cost = RateLimit.mean(new RateLimit.Setting(50, 50, 4, 100, Duration.ofMillis(100)), policy, 1);
        assertThat(cost.limited()).isZero();
    }

    private static Contention.Cost contention(String name) {
        return Findings.contention().get(name).get(100);
    }

    private static Timeline storm(String name) {
        return Findings.storm(STORM.queue()).get(name);
    }

    private static double savedByJitter(int burst, int attempts) {
        return 1
                - Findings.rateLimit(new RateLimitCase(200, burst, attempts, "exponential ±25 %"))
                                .limited()
                        / Findings.rateLimit(new RateLimitCase(200, burst, attempts, "exponential"))
                                .limited();
    }

    private static double savedByExponential(int burst, int attempts) {
        return 1
                - Findings.rateLimit(new RateLimitCase(10_000, burst, attempts, "exponential ±25 %"))
                                .retries()
                        / Findings.rateLimit(new RateLimitCase(10_000, burst, attempts, "fixed"))
                                .retries();
    }
}
