package io.redrive.events.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationHistogramTest {

    /** Half the width of a bucket, relative to the shortest duration in it, and the rounding to microseconds. */
    private static final double CLOSE = 0.0625;

    private final long seed = Long.getLong("redrive.seed", 42);
    private final Random random = new Random(seed);

    @Test
    void merging_equals_recording_together() {
        for (int round = 0; round < 300; round++) {
            List<Duration> one = durations();
            List<Duration> other = durations();
            List<Duration> both = new ArrayList<>(one);
            both.addAll(other);
            Collections.shuffle(both, random);
            assertThat(of(one).plus(of(other)))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(of(both))
                    .isEqualTo(of(other).plus(of(one)))
                    .hasSameHashCodeAs(of(both));
            assertThat(of(both).count()).isEqualTo(both.size());
        }
    }

    @Test
    void decoding_returns_what_was_encoded() {
        for (int round = 0; round < 300; round++) {
            DurationHistogram histogram = of(durations());
            byte[] bytes = histogram.encode();
            assertThat(bytes.length).isLessThanOrEqualTo(DurationHistogram.MAX_ENCODED);
            assertThat(DurationHistogram.decode(bytes))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(histogram);
        }
    }

    @Test
    void the_largest_histogram_can_be_stored() {
        DurationHistogram.Builder builder = new DurationHistogram.Builder();
        for (long micros = 0; micros < 1L << 44; micros += Math.max(1, micros / 16)) {
            builder.add(Duration.ofNanos(micros * 1_000));
        }
        DurationHistogram histogram = builder.build();
        for (int i = 0; i < 70; i++) {
            histogram = histogram.plus(histogram);
        }
        assertThat(histogram.count()).as("does not overflow").isEqualTo(Long.MAX_VALUE);
        byte[] bytes = histogram.encode();
        assertThat(bytes.length).isLessThanOrEqualTo(DurationHistogram.MAX_ENCODED);
        assertThat(DurationHistogram.decode(bytes)).isEqualTo(histogram);
    }

    @Test
    void a_percentile_is_close_to_a_recorded_duration() {
        for (int round = 0; round < 300; round++) {
            List<Duration> recorded = durations();
            Collections.sort(recorded);
            double share = random.nextDouble();
            Duration exact = recorded.get((int) Math.max(0, Math.ceil(share * recorded.size()) - 1));
            Duration told = of(recorded).percentile(share);
            assertThat((double) Math.abs(told.toNanos() - exact.toNanos()))
                    .as("seed %d, round %d: %s instead of %s", seed, round, told, exact)
                    .isLessThanOrEqualTo(exact.toNanos() * CLOSE + 1_000);
        }
    }

    @Test
    void percentiles_of_few_durations() {
        assertThat(DurationHistogram.EMPTY.percentile(0.5)).isZero();
        DurationHistogram three =
                DurationHistogram.of(Duration.ofNanos(3_000), Duration.ofNanos(5_000), Duration.ofNanos(7_000));
        assertThat(three.percentile(0)).isEqualTo(Duration.ofNanos(3_000));
        assertThat(three.percentile(0.34)).isEqualTo(Duration.ofNanos(5_000));
        assertThat(three.percentile(1)).isEqualTo(Duration.ofNanos(7_000));
    }

    @Test
    void durations_out_of_range_count_at_the_ends() {
        DurationHistogram histogram = DurationHistogram.of(
                Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE), Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(histogram.count()).isEqualTo(3);
        assertThat(histogram.percentile(0.5)).isZero();
        assertThat(histogram.percentile(1)).isBetween(Duration.ofDays(90), Duration.ofDays(110));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void a_share_out_of_range_is_refused(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationHistogram.EMPTY.percentile(share))
                .withMessage("share must be between 0 and 1, got " + share);
    }

    @Test
    void hostile_bytes_are_refused() {
        refused(1); // no count
        refused(1, 0); // a count of zero
        refused(0, 1); // the bucket before the first
        refused(1, 1, 0, 1); // a bucket twice
        refused(0x81, 0x00, 1); // a long form of a short number
        refused(1, 0x81); // a number without its end
        refused(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1); // a number of 10 bytes
        refused(0xC9, 0x02, 1); // the bucket behind the last: distance 329 from the one before the first
        assertThat(DurationHistogram.decode(new byte[] {(byte) 0xC8, 0x02, 1}).count())
                .isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationHistogram.decode(new byte[DurationHistogram.MAX_ENCODED + 1]))
                .withMessageContaining("at most 4000 bytes");
    }

    @Test
    void random_bytes_are_refused_or_are_the_form_of_a_histogram() {
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(12)];
            random.nextBytes(bytes);
            try {
                assertThat(DurationHistogram.decode(bytes).encode())
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(bytes);
                read++;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("an encoded histogram must have ");
            }
        }
        assertThat(read).isPositive();
    }

    private static void refused(int... bytes) {
        byte[] hostile = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            hostile[i] = (byte) bytes[i];
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationHistogram.decode(hostile))
                .withMessageStartingWith("an encoded histogram must have ");
    }

    private static DurationHistogram of(List<Duration> durations) {
        return DurationHistogram.of(durations.toArray(Duration[]::new));
    }

    /** From microseconds to days, each magnitude as likely as the next. */
    private List<Duration> durations() {
        List<Duration> durations = new ArrayList<>();
        int count = 1 + random.nextInt(50);
        for (int i = 0; i < count; i++) {
            durations.add(Duration.ofNanos((long) (1_000 * Math.pow(2, random.nextDouble() * 42))));
        }
        return durations;
    }
}
