package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.AdaptiveLimit.Ending;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class AdaptiveLimitTest {

    private static final long SEED = Seeds.SEED;
    private static final int ROUNDS = 3_000;

    /** A downstream with so many workers: calls beyond them wait, and a queue of its own size pushes back what does not fit. */
    private static final class Downstream {
        private final Random random;
        private int workers;
        private double millis = 10;

        Downstream(int workers, long seed) {
            this.workers = workers;
            random = new Random(seed);
        }

        /** Lets as many calls as the limit allows run at once, so many times. */
        void call(AdaptiveLimit limit, int rounds) {
            for (int i = 0; i < rounds; i++) {
                int atOnce = limit.limit();
                for (int k = 0; k < atOnce; k++) {
                    limit.began();
                }
                for (int k = 0; k < atOnce; k++) {
                    if (k >= 3 * workers) {
                        limit.ended(Duration.ofMillis(1), Ending.PUSHED_BACK);
                    } else {
                        double noise = 0.6 + 0.8 * random.nextDouble();
                        double took = millis * Math.max(1, (double) atOnce / workers) * noise;
                        limit.ended(Duration.ofNanos((long) (took * 1e6)), Ending.SUCCEEDED);
                    }
                }
            }
        }
    }

    @Test
    void the_limit_finds_the_workers_of_any_downstream() {
        Random random = new Random(SEED);
        for (int i = 0; i < 50; i++) {
            int workers = 2 + random.nextInt(100);
            AdaptiveLimit limit = AdaptiveLimit.between(1, 1_000);

            new Downstream(workers, random.nextLong()).call(limit, ROUNDS);

            assertThat(limit.limit())
                    .as("limit for %d workers, seed %d", workers, SEED)
                    .isBetween(workers / 2, 2 * workers + 3);
        }
    }

    @Test
    void the_limit_follows_a_downstream_that_loses_and_gets_workers() {
        Downstream downstream = new Downstream(40, SEED);
        AdaptiveLimit limit = AdaptiveLimit.between(1, 500);
        downstream.call(limit, ROUNDS);

        downstream.workers = 8;
        downstream.call(limit, ROUNDS);
        assertThat(limit.limit()).as("after the loss, seed %d", SEED).isBetween(4, 20);

        downstream.workers = 80;
        downstream.call(limit, ROUNDS);
        assertThat(limit.limit()).as("after the gain, seed %d", SEED).isBetween(40, 170);
    }

    @Test
    void a_downstream_that_is_slower_for_good_keeps_its_limit() {
        Downstream downstream = new Downstream(20, SEED);
        AdaptiveLimit limit = AdaptiveLimit.between(1, 500);
        downstream.call(limit, ROUNDS);

        downstream.millis = 60;
        downstream.call(limit, ROUNDS);

        assertThat(limit.limit()).as("seed %d", SEED).isBetween(10, 45);
    }

    @Test
    void a_downstream_that_only_pushes_back_gets_the_least() {
        AdaptiveLimit limit = AdaptiveLimit.between(2, 50);

        for (int i = 0; i < 10_000; i++) {
            limit.began();
            limit.ended(Duration.ofMillis(1), Ending.PUSHED_BACK);
        }

        assertThat(limit.limit()).isEqualTo(2);
    }

    @Test
    void calls_that_do_not_use_the_limit_do_not_raise_it() {
        AdaptiveLimit limit = AdaptiveLimit.between(1, 50);
        int before = limit.limit();

        for (int i = 0; i < 10_000; i++) {
            limit.began();
            limit.ended(Duration.ofMillis(1), Ending.SUCCEEDED);
        }

        assertThat(limit.limit()).isLessThanOrEqualTo(before);
    }

    @Test
    void failures_of_the_calls_themselves_change_nothing() {
        AdaptiveLimit limit = AdaptiveLimit.between(1, 50);
        int before = limit.limit();

        for (int i = 0; i < 10_000; i++) {
            limit.began();
            limit.ended(Duration.ofSeconds(9), Ending.FAILED);
        }

        assertThat(limit.limit()).isEqualTo(before);
    }

    @Test
    void the_limit_stays_within_its_bounds_whatever_happens() {
        Random random = new Random(SEED);
        AdaptiveLimit limit = AdaptiveLimit.between(3, 17);
        Ending[] endings = Ending.values();
        int processes = 1;

        for (int i = 0; i < 50_000; i++) {
            if (random.nextInt(1_000) == 0) {
                processes = 1 + random.nextInt(10);
                limit.share(processes);
            }
            if (random.nextBoolean()) {
                limit.began();
            } else {
                limit.ended(Duration.ofNanos(random.nextLong(1, 1_000_000_000)), endings[random.nextInt(3)]);
            }
            assertThat(limit.limit()).as("seed %d", SEED).isBetween(3, Math.max(3, 17 / processes));
        }
    }

    @Test
    void processes_divide_the_upper_bound() {
        AdaptiveLimit limit = AdaptiveLimit.between(1, 40);
        limit.share(4);

        new Downstream(1_000, SEED).call(limit, 500);

        assertThat(limit.limit()).isBetween(5, 10);
        assertThat(limit.describe()).contains("(1 to 10)", "without load");
    }

    @Test
    void answers_of_a_busy_downstream_push_back() {
        assertThat(Ending.of(Failure.status(429))).isEqualTo(Ending.PUSHED_BACK);
        assertThat(Ending.of(Failure.status(503))).isEqualTo(Ending.PUSHED_BACK);
        assertThat(Ending.of(Failure.kind("timeout"))).isEqualTo(Ending.PUSHED_BACK);
        assertThat(Ending.of(Failure.thrown(new RuntimeException(new AttemptTimeoutException(Duration.ZERO)))))
                .isEqualTo(Ending.PUSHED_BACK);
        assertThat(Ending.of(Failure.status(500))).isEqualTo(Ending.FAILED);
        assertThat(Ending.of(Failure.thrown(new IllegalStateException("no")))).isEqualTo(Ending.FAILED);
    }

    @Test
    void bounds_the_wrong_way_round_are_refused() {
        assertThatThrownBy(() -> AdaptiveLimit.between(0, 5)).hasMessageContaining("got between 0 and 5");
        assertThatThrownBy(() -> AdaptiveLimit.between(6, 5)).hasMessageContaining("got between 6 and 5");
        assertThatThrownBy(() -> AdaptiveLimit.between(1, 1_001)).hasMessageContaining("got between 1 and 1001");
    }
}
