package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ContestTest {

    @Test
    void contestants_take_turns_and_the_median_of_each_counts() throws Exception {
        List<String> turns = new ArrayList<>();
        Iterator<Double> ours = List.of(10.0, 40.0, 20.0).iterator();
        Iterator<Double> bare = List.of(1.0, 2.0, 9.0).iterator();

        Measured measured = Contest.of("events/s", () -> turn(turns, "ours", ours))
                .limit("events/s", () -> turn(turns, "bare", bare))
                .peer("other", "events/s", () -> 5.0)
                .single(3);

        assertThat(turns).containsExactly("ours", "bare", "ours", "bare", "ours", "bare");
        assertThat(measured).isEqualTo(new Measured("events/s", 20, Map.of("other", 5.0), 2.0, 1.5));
    }

    @Test
    void contestants_run_before_the_first_round_until_the_compilers_rest_and_without_being_measured() throws Exception {
        List<String> turns = new ArrayList<>();
        Iterator<Double> figures = Stream.generate(() -> (double) turns.size()).iterator();

        Measured measured = Contest.of("events/s", () -> turn(turns, "ours", figures))
                .limit("events/s", () -> turn(turns, "bare", figures))
                .warmUp(Duration.ofNanos(1))
                .single(1);

        assertThat(turns).as("one run of each, then one round").containsExactly("ours", "bare", "ours", "bare");
        assertThat(measured.ours()).isEqualTo(3);
    }

    @Test
    void a_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assertThat(Contest.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
        assertThat(Contest.spread(List.of(0.0, 0.0))).isZero();
    }

    private static double turn(List<String> turns, String who, Iterator<Double> figures) {
        turns.add(who);
        return figures.next();
    }
}
