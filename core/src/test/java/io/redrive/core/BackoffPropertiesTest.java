package io.redrive.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every backoff under every jitter, at random and at the edges. */
class BackoffPropertiesTest {

    private static final Duration AGES = ofSeconds(Long.MAX_VALUE);
    private static final int[] ATTEMPTS = {1, 2, 3, 4, 7, 10, 31, 32, 63, 64, 65, 100, 1_000, 10_000, Integer.MAX_VALUE
    };

    static Stream<Backoff> backoffs() {
        List<Backoff> all = new ArrayList<>(List.of(
                Backoff.none(),
                Backoff.fixed(ofNanos(1)),
                Backoff.fixed(AGES),
                Backoff.linear(ZERO, ZERO, ZERO),
                Backoff.linear(ZERO, AGES, AGES),
                Backoff.linear(AGES, AGES, AGES),
                Backoff.linear(ofNanos(1), ofNanos(1), AGES),
                Backoff.exponential(ZERO, ZERO),
                Backoff.exponential(ZERO, AGES, Double.MAX_VALUE),
                Backoff.exponential(ofNanos(1), AGES, 1.0),
                Backoff.exponential(ofNanos(1), AGES, 1.000001),
                Backoff.exponential(ofNanos(1), AGES, Double.MAX_VALUE),
                Backoff.exponential(AGES, AGES, 2.0),
                Backoff.exponential(ofDays(100), ofDays(100_000), 1.5),
                Backoff.delays(ofSeconds(1), ofSeconds(5), AGES),
                Backoff.delays(ofSeconds(5), ofSeconds(1)),
                Backoff.custom(attempt -> AGES),
                Backoff.custom(attempt -> ofMillis(-attempt))));
        RandomGenerator random = Seeds.random(2);
        for (int i = 0; i < 100; i++) {
            Duration initial = duration(random);
            Duration max = initial.plus(duration(random));
            all.add(Backoff.exponential(initial, max, 1 + 4 * random.nextDouble()));
            all.add(Backoff.linear(initial, duration(random), max));
        }
        return all.stream();
    }

    static List<Jitter> jitters() {
        return List.of(
                Jitter.none(),
                Jitter.full(),
                Jitter.equal(),
                Jitter.decorrelated(),
                Jitter.factor(0),
                Jitter.factor(0.2),
                Jitter.factor(1),
                Jitter.additive(0),
                Jitter.additive(0.25),
                Jitter.additive(1));
    }

    /** From nanoseconds to centuries, each order of magnitude as likely as the next. */
    private static Duration duration(RandomGenerator random) {
        return ofNanos(random.nextLong(1L << random.nextInt(1, 62)));
    }

    @ParameterizedTest
    @MethodSource("backoffs")
    void every_jitter_of_every_backoff_keeps_its_bounds(Backoff backoff) {
        RandomGenerator random = Seeds.random(3);
        for (Jitter jitter : jitters()) {
            RetryPolicy policy =
                    RetryPolicy.builder().backoff(backoff).jitter(jitter).build();
            Duration previous = ZERO;
            for (int attempt : ATTEMPTS) {
                Jitter.Wait wait = policy.waitAfter(attempt, previous);
                Duration taken = jitter.apply(wait, random);
                boolean within = isBetween(wait.base(), ZERO, backoff.max())
                        && isBetween(taken, ZERO, Backoff.LONGEST)
                        && isBetween(taken, jitter.least(wait), jitter.most(wait))
                        && (jitter instanceof Jitter.Factor || isBetween(taken, ZERO, backoff.max()));
                if (!within) {
                    fail(Seeds.replay(backoff + ", " + jitter + ", attempt " + attempt + " of " + wait + ": " + taken));
                }
                previous = taken;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backoffs")
    void the_base_of_a_growing_backoff_never_falls(Backoff backoff) {
        if (backoff instanceof DelaysBackoff || backoff instanceof CustomBackoff) {
            return; // These follow the user's own order.
        }
        Duration before = ZERO;
        for (int attempt = 1; attempt <= 10_000; attempt += attempt < 200 ? 1 : 97) {
            Duration delay = backoff.delay(attempt);
            if (!isBetween(delay, before, backoff.max())) {
                fail(Seeds.replay(backoff + ", attempt " + attempt + ": " + delay + " after " + before));
            }
            before = delay;
        }
        assertThat(backoff.delay(Integer.MAX_VALUE)).isBetween(before, backoff.max());
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.0, 1.1, 1.5, 2.0, 2.5, 3.0, 10.0})
    void a_fractional_multiplier_is_not_truncated_on_the_way(double multiplier) {
        Backoff backoff = Backoff.exponential(ofMillis(100), ofDays(30), multiplier);
        for (int attempt = 1; attempt <= 12; attempt++) {
            BigDecimal exact = new BigDecimal(multiplier)
                    .pow(attempt - 1, MathContext.DECIMAL128)
                    .multiply(BigDecimal.valueOf(100_000_000L))
                    .min(BigDecimal.valueOf(ofDays(30).toNanos()));
            double error = Math.abs(exact.doubleValue() - backoff.delay(attempt).toNanos());
            assertThat(error).as("attempt " + attempt).isLessThanOrEqualTo(1 + exact.doubleValue() * 1e-14);
        }
    }

    @Test
    void one_and_a_half_to_the_third_is_three_and_three_eighths() {
        // A formula that truncates the power before multiplying would give 3 s.
        assertThat(Backoff.exponential(ofSeconds(1), ofSeconds(60), 1.5).delay(4))
                .isEqualTo(ofMillis(3_375));
    }

    @Test
    void a_linear_backoff_is_exact_to_the_nanosecond() {
        RandomGenerator random = Seeds.random(4);
        for (int i = 0; i < 1_000; i++) {
            long initial = random.nextLong(1_000_000_000_000L);
            long increment = random.nextLong(1_000_000_000L);
            int attempt = random.nextInt(1, 5_000);
            assertThat(Backoff.linear(ofNanos(initial), ofNanos(increment), ofDays(3_000))
                            .delay(attempt))
                    .as(Seeds.replay(initial + " + " + attempt + " * " + increment))
                    .isEqualTo(ofNanos(initial + (attempt - 1) * increment));
        }
    }

    @Test
    void no_backoff_computes_more_than_the_longest_delay() {
        for (int attempt : ATTEMPTS) {
            assertThat(backoffs().map(backoff -> backoff.delay(attempt)))
                    .allSatisfy(delay -> assertThat(delay).isBetween(ZERO, Backoff.LONGEST));
        }
        assertThat(backoffs().map(Backoff::max))
                .allSatisfy(max -> assertThat(max).isBetween(ZERO, Backoff.LONGEST));
    }

    @Test
    void the_last_of_given_delays_repeats() {
        Backoff backoff = Backoff.delays(ofSeconds(1), ofSeconds(30), ofSeconds(5));
        assertThat(Stream.of(1, 2, 3, 4, Integer.MAX_VALUE).map(backoff::delay))
                .containsExactly(ofSeconds(1), ofSeconds(30), ofSeconds(5), ofSeconds(5), ofSeconds(5));
        assertThat(backoff.max()).isEqualTo(ofSeconds(30));
        assertThat(backoff).hasToString("delays 1s, 30s, 5s");
    }

    @Test
    void a_custom_backoff_that_answers_null_is_named() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Backoff.custom(attempt -> null).delay(3))
                .withMessage("custom backoff must return a duration, got null for attempt 3");
    }

    @Test
    void bad_backoffs_are_refused_with_the_rule_and_the_value() {
        refused(() -> Backoff.fixed(ofSeconds(-1)), "backoff delay must not be negative, got PT-1S");
        refused(() -> Backoff.fixed(null), "backoff delay must not be negative, got null");
        refused(() -> Backoff.delays(), "delays must name at least one duration, got none");
        refused(() -> Backoff.delays(ofSeconds(-1)), "delays must not be negative, got PT-1S");
        refused(
                () -> Backoff.linear(ofSeconds(-1), ZERO, ZERO),
                "linear backoff initial must not be negative, got PT-1S");
        refused(
                () -> Backoff.linear(ZERO, ofSeconds(-1), ZERO),
                "linear backoff increment must not be negative, got PT-1S");
        refused(
                () -> Backoff.linear(ofSeconds(2), ZERO, ofSeconds(1)),
                "linear backoff max must be at least 2s, got 1s");
        refused(
                () -> Backoff.exponential(ofSeconds(-1), ZERO),
                "exponential backoff initial must not be negative, got PT-1S");
        refused(
                () -> Backoff.exponential(ofSeconds(2), ofSeconds(1)),
                "exponential backoff max must be at least 2s, got 1s");
        refused(() -> Backoff.exponential(ofSeconds(2), null), "exponential backoff max must be at least 2s, got null");
        for (double multiplier : new double[] {0.99, 0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            refused(
                    () -> Backoff.exponential(ZERO, ZERO, multiplier),
                    "exponential backoff multiplier must be a finite number of at least 1, got " + multiplier);
        }
    }

    @Test
    void bad_jitter_factors_are_refused_with_the_rule_and_the_value() {
        for (double factor : new double[] {-0.01, 1.01, Double.NaN}) {
            refused(() -> Jitter.factor(factor), "jitter factor must be between 0 and 1, got " + factor);
            refused(() -> Jitter.additive(factor), "additive jitter factor must be between 0 and 1, got " + factor);
        }
    }

    @Test
    void jitters_describe_themselves() {
        assertThat(jitters().stream().map(Jitter::toString))
                .containsExactly(
                        "no jitter",
                        "full jitter",
                        "equal jitter",
                        "decorrelated jitter",
                        "jitter ±0%",
                        "jitter ±20%",
                        "jitter ±100%",
                        "additive jitter +0%",
                        "additive jitter +25%",
                        "additive jitter +100%");
    }

    // Quicker than an assertion, for a check that runs a hundred thousand times.
    private static boolean isBetween(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    private static void refused(ThrowingCallable make, String message) {
        assertThatIllegalArgumentException().isThrownBy(make).withMessage(message);
    }
}
