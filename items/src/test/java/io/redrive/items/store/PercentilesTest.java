package io.redrive.items.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Percentiles where shares of the attempts are whole numbers, and next to them. */
final class PercentilesTest {

    private static List<Duration> millis(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Duration::ofMillis).toList();
    }

    @Test
    void a_percentile_is_the_shortest_duration_that_its_share_of_attempts_does_not_exceed() {
        assertThat(Percentiles.of(millis(3)))
                .isEqualTo(new Percentiles(Duration.ofMillis(2), Duration.ofMillis(3), Duration.ofMillis(3)));
        assertThat(Percentiles.of(millis(100)))
                .isEqualTo(new Percentiles(Duration.ofMillis(50), Duration.ofMillis(95), Duration.ofMillis(99)));
        assertThat(Percentiles.of(millis(101)))
                .isEqualTo(new Percentiles(Duration.ofMillis(51), Duration.ofMillis(96), Duration.ofMillis(100)));
    }
}
