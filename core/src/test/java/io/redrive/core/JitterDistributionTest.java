package io.redrive.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares each kind of jitter with its stated distribution, by the Kolmogorov-Smirnov test. */
class JitterDistributionTest {

    private static final int SAMPLES = 20_000;

    /** At this distance a uniform sample of any size is refused once in 100,000 times. */
    private static final double CRITICAL = 2.47 / Math.sqrt(SAMPLES);

    private static final Jitter.Wait EIGHT_SECONDS = wait(ofSeconds(8), ofSeconds(1), ofSeconds(4), ofSeconds(60));

    static Stream<Arguments> uniform() {
        return Stream.of(
                arguments(Jitter.factor(0.2), EIGHT_SECONDS, "6400ms", "9600ms"),
                arguments(Jitter.factor(1), EIGHT_SECONDS, "0s", "16s"),
                arguments(Jitter.full(), EIGHT_SECONDS, "0s", "8s"),
                arguments(Jitter.equal(), EIGHT_SECONDS, "4s", "8s"),
                arguments(Jitter.additive(0.25), EIGHT_SECONDS, "8s", "10s"),
                arguments(Jitter.decorrelated(), EIGHT_SECONDS, "1s", "12s"),
                arguments(Jitter.decorrelated(), wait(ofSeconds(1), ofSeconds(1), ZERO, ofSeconds(60)), "1s", "3s"),
                // Beyond the cap the factor goes on.
                arguments(
                        Jitter.factor(0.2), wait(ofSeconds(300), ofSeconds(1), ZERO, ofSeconds(300)), "240s", "360s"));
    }

    @ParameterizedTest(name = "{0} in {2} to {3}")
    @MethodSource("uniform")
    void the_wait_is_uniform_between_its_bounds(Jitter jitter, Jitter.Wait wait, String least, String most) {
        double from = DurationText.parse(least).toNanos();
        double to = DurationText.parse(most).toNanos();
        double[] sample = sample(jitter, wait);
        double distance = distanceToUniform(sample, from, to);
        assertThat(distance).as(Seeds.replay(jitter)).isLessThan(CRITICAL);
    }

    @ParameterizedTest(name = "{0} in {2} to {3}")
    @MethodSource("uniform")
    void the_test_itself_notices_bounds_that_are_five_percent_off(
            Jitter jitter, Jitter.Wait wait, String least, String most) {
        double from = DurationText.parse(least).toNanos();
        double to = DurationText.parse(most).toNanos();
        double wider = to + (to - from) * 0.05;
        assertThat(distanceToUniform(sample(jitter, wait), from, wider)).isGreaterThan(CRITICAL);
    }

    @Test
    void additive_jitter_is_capped_again_so_that_the_rest_gathers_at_the_cap() {
        Jitter.Wait nearTheCap = wait(ofSeconds(8), ofSeconds(1), ZERO, ofSeconds(9));
        double[] sample = sample(Jitter.additive(0.25), nearTheCap);
        long atTheCap = Arrays.stream(sample).filter(d -> d == 9e9).count();
        assertThat(atTheCap / (double) SAMPLES).as(Seeds.replay("at the cap")).isBetween(0.48, 0.52);
        double[] below = Arrays.stream(sample).filter(d -> d < 9e9).toArray();
        assertThat(distanceToUniform(below, 8e9, 9e9)).isLessThan(2.47 / Math.sqrt(below.length));
    }

    @Test
    void decorrelated_jitter_gathers_at_the_cap_too() {
        Jitter.Wait late = wait(ofSeconds(8), ofSeconds(1), ofSeconds(5), ofSeconds(8));
        double[] sample = sample(Jitter.decorrelated(), late);
        long atTheCap = Arrays.stream(sample).filter(d -> d == 8e9).count();
        assertThat(atTheCap / (double) SAMPLES).as(Seeds.replay("at the cap")).isBetween(0.48, 0.52);
    }

    @Test
    void no_jitter_is_the_base_every_time_and_asks_for_no_randomness() {
        RandomGenerator none = () -> {
            throw new AssertionError("asked for randomness");
        };
        assertThat(Jitter.none().apply(EIGHT_SECONDS, none)).isEqualTo(ofSeconds(8));
    }

    @Test
    void both_ends_of_a_range_are_reached() {
        Jitter.Wait tiny = wait(ofNanos(3), ofNanos(1), ZERO, ofSeconds(1));
        assertThat(Arrays.stream(sample(Jitter.full(), tiny)).distinct().sorted())
                .containsExactly(0.0, 1.0, 2.0, 3.0);
    }

    @Test
    void at_the_very_top_of_the_range_nothing_overflows() {
        Jitter.Wait longest = wait(Backoff.LONGEST, ofMillis(1), Backoff.LONGEST, Backoff.LONGEST);
        for (Jitter jitter : BackoffPropertiesTest.jitters()) {
            assertThat(jitter.apply(longest, Seeds.random(6))).isBetween(ZERO, Backoff.LONGEST);
        }
    }

    private static Jitter.Wait wait(Duration base, Duration initial, Duration previous, Duration cap) {
        return new Jitter.Wait(base, initial, previous, cap);
    }

    private static double[] sample(Jitter jitter, Jitter.Wait wait) {
        RandomGenerator random = Seeds.random(5);
        return Stream.generate(() -> jitter.apply(wait, random))
                .limit(SAMPLES)
                .mapToDouble(Duration::toNanos)
                .toArray();
    }

    private static double distanceToUniform(double[] sample, double from, double to) {
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = (sorted[i] - from) / (to - from);
            distance = Math.max(distance, Math.abs((i + 1.0) / sorted.length - expected));
            distance = Math.max(distance, Math.abs((double) i / sorted.length - expected));
        }
        return distance;
    }
}
