package io.redrive.core;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The delay tables of the five documents behind Redrive, as data. Where a table contradicts its formula, the formula
 * counts.
 */
class SeedSchedulesTest {

    static Stream<Arguments> tables() {
        return Stream.of(
                arguments(
                        "event bus, exponential",
                        Backoff.exponential(ofSeconds(1), ofSeconds(300), 2.0),
                        "1s 2s 4s 8s 16s 32s 64s 128s 256s 300s 300s"),
                arguments(
                        "event bus, linear",
                        Backoff.linear(ofSeconds(5), ofSeconds(5), ofSeconds(300)),
                        "5s 10s 15s 20s 25s 30s"),
                arguments(
                        "event bus, rate-limited API",
                        Backoff.linear(ofSeconds(10), ofSeconds(10), ofSeconds(300)),
                        "10s 20s 30s 40s"),
                arguments("event bus, user commands", Backoff.none(), "0s 0s"),
                arguments(
                        "item stage, exponential",
                        Backoff.exponential(ofSeconds(1), ofSeconds(60), 2.0),
                        "1s 2s 4s 8s 16s 32s 60s 60s"),
                arguments(
                        "item stage, language model",
                        Backoff.exponential(ofSeconds(1), ofSeconds(30), 2.0),
                        "1s 2s 4s 8s 16s 30s"),
                arguments("item stage, fixed", Backoff.fixed(ofSeconds(1)), "1s 1s 1s"),
                arguments(
                        "item stage, linear",
                        Backoff.linear(ofSeconds(1), ofSeconds(1), ofSeconds(60)),
                        "1s 2s 3s 4s 5s"),
                arguments(
                        "actor, exponential",
                        Backoff.exponential(ofMillis(100), ofSeconds(10), 2.0),
                        "100ms 200ms 400ms 800ms 1600ms 3200ms 6400ms 10s 10s"),
                arguments(
                        "actor, API client",
                        Backoff.exponential(ofMillis(200), ofSeconds(30), 2.0),
                        "200ms 400ms 800ms 1600ms"),
                arguments("actor, fixed", Backoff.fixed(ofSeconds(1)), "1s 1s"),
                arguments(
                        "actor, linear",
                        Backoff.linear(ofMillis(100), ofMillis(500), ofSeconds(10)),
                        "100ms 600ms 1100ms 1600ms 2100ms"),
                arguments(
                        "actor, custom",
                        Backoff.custom(attempt -> ofMillis(100L * attempt)),
                        "100ms 200ms 300ms 400ms"),
                arguments(
                        "visibility race",
                        Backoff.exponential(ofMillis(250), ofSeconds(60), 2.0),
                        "250ms 500ms 1s 2s 4s 8s 16s 32s 60s"),
                arguments(
                        "connection",
                        Backoff.exponential(ofSeconds(5), ofSeconds(300), 2.0),
                        "5s 10s 20s 40s 80s 160s 300s"),
                arguments(
                        "connection, in its own tests",
                        Backoff.exponential(ofMillis(1000), ofMillis(10_000), 2.0),
                        "1s 2s 4s 8s 10s"),
                arguments(
                        "connection, linear variation",
                        Backoff.linear(ofSeconds(5), ofSeconds(5), ofSeconds(300)),
                        "5s 10s 15s 20s"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void the_delays_are_the_delays_of_the_document(String what, Backoff backoff, String expected) {
        List<Duration> delays =
                Arrays.stream(expected.split(" ")).map(DurationText::parse).toList();
        assertThat(IntStream.rangeClosed(1, delays.size()).mapToObj(backoff::delay))
                .containsExactlyElementsOf(delays);
    }

    @ParameterizedTest(name = "{0}: wait {1} is {2} to {3}")
    @CsvSource({
        "events, 1, 800ms, 1200ms",
        "events, 2, 1600ms, 2400ms",
        "stage, 1, 750ms, 1250ms",
        "stage, 2, 1500ms, 2500ms",
        "actor, 1, 90ms, 110ms",
        "actor, 2, 180ms, 220ms",
        "visibility, 1, 0ms, 250ms",
        "visibility, 7, 0ms, 16s",
        "connection, 1, 5s, 5s",
        "connection, 4, 40s, 40s",
    })
    void the_jitter_stays_within_the_document_s_bounds(String preset, int attempt, String least, String most) {
        Schedule.Row row = Presets.named(preset).explain().rows().get(attempt - 1);
        assertThat(row.least()).isEqualTo(DurationText.parse(least));
        assertThat(row.most()).isEqualTo(DurationText.parse(most));
    }

    @Test
    void the_event_bus_table_with_its_jitter_may_exceed_the_cap() {
        RetryPolicy longer = Presets.EVENTS.toBuilder().maxAttempts(12).build();
        Schedule.Row capped = longer.explain().rows().get(9);
        assertThat(capped)
                .isEqualTo(new Schedule.Row(10, ofSeconds(300), ofSeconds(240), ofSeconds(360), capped.cumulative()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "events, 3, 'exponential 1s ×2, max 5m', jitter ±20%, ",
        "stage, 3, 'exponential 1s ×2, max 1m', jitter ±25%, ",
        "actor, 3, 'exponential 100ms ×2, max 10s', jitter ±10%, ",
        "visibility, 8, 'exponential 250ms ×2, max 1m', full jitter, 30m",
        "connection, 5, 'exponential 5s ×2, max 5m', no jitter, ",
    })
    void the_presets_are_the_presets_of_the_specification(
            String name, int attempts, String backoff, String jitter, String limit) {
        RetryPolicy preset = Presets.named(name);
        assertThat(preset.maxAttempts()).isEqualTo(attempts);
        assertThat(preset.backoff()).hasToString(backoff);
        assertThat(preset.jitter()).hasToString(jitter);
        assertThat(preset.maxDuration().map(DurationText::format).orElse(null)).isEqualTo(limit);
        assertThat(Presets.all()).containsEntry(name, preset);
    }

    @Test
    void an_unknown_preset_is_refused_with_the_known_presets() {
        assertThat(Presets.all()).hasSize(6);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Presets.named("event"))
                .withMessage(
                        "preset: must be one of events, stage, actor, visibility, connection, webhook, got 'event'");
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "5", "8", "50"})
    void n_attempts_have_n_minus_1_waits(int attempts) {
        ManualTime time = new ManualTime();
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(attempts)
                .backoff(Backoff.linear(ofSeconds(1), ofSeconds(1), ofSeconds(300)))
                .jitter(Jitter.none())
                .build();
        RetryResult<Object> result = Retry.with(policy).time(time).run(() -> {
            throw new IOException("down");
        });
        assertThat(result.attempts()).isEqualTo(attempts);
        assertThat(time.sleeps())
                .containsExactlyElementsOf(IntStream.range(1, attempts)
                        .mapToObj(Duration::ofSeconds)
                        .toList());
        assertThat(policy.explain().rows()).hasSize(attempts - 1);
    }

    @Test
    void the_visibility_preset_waits_about_half_a_minute_at_most() {
        // The document says "about a minute" and counts an eighth wait, which eight attempts do not have.
        assertThat(Presets.VISIBILITY.explain().worstCase()).contains(ofMillis(31_750));
    }

    @Test
    void the_mean_of_a_hundred_stage_delays_is_within_a_tenth_of_the_base() {
        RetryPolicy policy = Presets.STAGE;
        double mean = Seeds.random(1)
                .longs(100)
                .mapToObj(Long::hashCode)
                .mapToLong(i -> policy.jitter()
                        .apply(policy.waitAfter(2, Duration.ZERO), Seeds.random(i))
                        .toMillis())
                .average()
                .orElseThrow();
        assertThat(mean).as(Seeds.replay("mean")).isBetween(1800.0, 2200.0);
    }
}
