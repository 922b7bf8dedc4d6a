package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A limit by the cost of calls. */
final class CostLimitTest {

    private final ManualTime time = new ManualTime();
    private final CostLimit tokens = limit(60_000);

    @Test
    void a_tenth_may_be_reserved_at_once_and_the_rest_is_spread_evenly() throws Exception {
        long began = time.nanos();
        long spent = 0;
        while (time.nanos() - began < Duration.ofMinutes(1).toNanos()) {
            tokens.reserve(1_000).close();
            spent += 1_000;
        }

        assertThat(spent).isBetween(60_000L, 67_000L);
        assertThat(tokens.total()).isEqualTo(spent);
    }

    @Test
    void over_any_minute_callers_spend_no_more_than_the_limit_a_tenth_and_one_call() throws Exception {
        long seed = 20_251;
        SplittableRandom random = new SplittableRandom(seed);
        long[] spentAt = new long[2_000];
        long[] at = new long[spentAt.length];
        for (int i = 0; i < at.length; i++) {
            CostLimit.Reservation reserved = tokens.reserve(random.nextInt(5_000));
            spentAt[i] = random.nextInt(5_000);
            reserved.settle(spentAt[i]);
            at[i] = time.nanos();
        }

        for (int from = 0; from < at.length; from++) {
            long sum = 0;
            for (int i = from;
                    i < at.length && at[i] - at[from] < Duration.ofMinutes(1).toNanos();
                    i++) {
                sum += spentAt[i];
            }
            assertThat(sum).as("seed %d, from call %d", seed, from).isLessThanOrEqualTo(60_000 + 6_000 + 5_000);
        }
    }

    @Test
    void a_call_above_its_estimate_delays_the_next_call_and_a_call_below_gives_back() throws Exception {
        tokens.reserve(5_000).settle(66_000);
        assertThat(tokens.tryReserve(1)).isEmpty();
        assertThat(tokens.untilFree()).isBetween(Duration.ofSeconds(53), Duration.ofSeconds(55));
        time.advance(Duration.ofSeconds(61));

        CostLimit.Reservation large = tokens.reserve(60_000);
        assertThat(tokens.tryReserve(1)).isEmpty();
        large.settle(10);
        assertThat(tokens.tryReserve(1)).isPresent();
    }

    @Test
    void a_huge_cost_holds_up_calls_no_longer_than_the_whole_limit_would() throws Exception {
        tokens.reserve(1).settle(Long.MAX_VALUE);

        assertThat(tokens.untilFree()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void a_cancelled_call_costs_nothing_and_an_unsettled_call_its_estimate() throws Exception {
        CostLimit.Reservation unmade = tokens.reserve(6_000);
        unmade.cancel();
        unmade.settle(9_999);
        assertThat(tokens.total()).isZero();
        assertThat(tokens.untilFree()).isZero();

        tokens.reserve(6_000).close();
        assertThat(tokens.total()).isEqualTo(6_000);
        assertThat(tokens.tryReserve(0)).isEmpty();
    }

    @Test
    void processes_that_share_a_limit_each_get_their_part() {
        tokens.share(3);

        assertThat(spentInAMinute(tokens)).isBetween(19_000L, 23_000L);
    }

    @Test
    void a_server_that_allows_less_or_has_less_left_is_believed() {
        tokens.observe(6_000, -1);
        assertThat(spentInAMinute(tokens)).isBetween(5_000L, 7_700L);

        tokens.observe(1_000_000, 1_000_000);
        time.advance(Duration.ofMinutes(1));
        assertThat(spentInAMinute(tokens)).isBetween(59_000L, 67_000L);

        time.advance(Duration.ofMinutes(1));
        tokens.observe(-1, 0);
        assertThat(tokens.tryReserve(1)).isEmpty();
        assertThat(tokens.untilFree()).isPositive();
    }

    @Test
    void a_call_waits_until_the_server_has_its_estimate_left() throws Exception {
        tokens.observe(-1, 200);
        assertThat(tokens.tryReserve(1_200)).isEmpty();
        assertThat(tokens.untilFree(1_200)).isBetween(Duration.ofMillis(999), Duration.ofMillis(1_001));
        assertThat(tokens.tryReserve(100)).as("a cheaper call").isPresent();

        long began = time.nanos();
        tokens.reserve(1_200).close();
        assertThat(Duration.ofNanos(time.nanos() - began))
                .isBetween(Duration.ofMillis(1_099), Duration.ofMillis(1_101));
    }

    @Test
    void what_the_server_has_left_is_shared_with_the_calls_under_way_and_may_grow_again() throws Exception {
        CostLimit.Reservation underWay = tokens.reserve(1_000);
        tokens.observe(-1, 1_500);
        assertThat(tokens.tryReserve(600)).as("1,500 less the 1,000 under way").isEmpty();
        underWay.settle(100);
        assertThat(tokens.tryReserve(600)).as("the call cost less").isPresent();

        tokens.observe(-1, 0);
        assertThat(tokens.tryReserve(1)).isEmpty();
        tokens.observe(-1, 50_000);
        assertThat(tokens.tryReserve(1)).isPresent();
    }

    @Test
    void a_call_above_all_that_a_server_ever_allows_is_made_once_the_server_has_everything_back() throws Exception {
        tokens.observe(600, 0);

        long began = time.nanos();
        tokens.reserve(30_000).cancel();
        assertThat(Duration.ofNanos(time.nanos() - began))
                .isLessThanOrEqualTo(Duration.ofMinutes(1).plusMillis(1));
    }

    @Test
    void a_held_limit_lets_no_call_begin_before_its_time_and_the_later_end_counts() {
        tokens.hold(Duration.ofSeconds(30));
        tokens.hold(Duration.ofSeconds(5));
        assertThat(tokens.tryReserve(0)).isEmpty();
        assertThat(tokens.untilFree(100)).isEqualTo(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30));
        assertThat(tokens.tryReserve(100)).isPresent();
        tokens.hold(Duration.ofDays(5_000));
        assertThat(tokens.untilFree()).as("at most a day").isEqualTo(Duration.ofDays(1));
        assertThatThrownBy(() -> tokens.hold(Duration.ofSeconds(-1))).hasMessageContaining("got PT-1S");
    }

    @Test
    void wrong_use_is_told() {
        assertThatThrownBy(() -> tokens.tryReserve(60_001))
                .hasMessage(
                        "the estimate of a call must be between 0 and the whole limit 'tokens' of 60000 per 1m, got 60001");
        assertThatThrownBy(() -> tokens.tryReserve(-1)).hasMessageContaining("got -1");
        assertThatThrownBy(() -> tokens.reserve(1).settle(-5))
                .hasMessage("the cost of a call against limit 'tokens' must not be negative, got -5");
        assertThatThrownBy(() -> limit(0)).hasMessageContainingAll("must be between 1 and", "got 0");
        assertThatThrownBy(() -> CostLimit.of("t", 1, Duration.ZERO)).hasMessageContaining("must be per 1ms to 1d");
        assertThatThrownBy(() -> tokens.share(0)).hasMessageContaining("must be shared by at least 1, got 0");
    }

    private long spentInAMinute(CostLimit limit) {
        long spent = 0;
        for (int i = 0; i < 6_000; i++) {
            while (limit.tryReserve(100).map(CostLimitTest::settled).isPresent()) {
                spent += 100;
            }
            time.advance(Duration.ofMillis(10));
        }
        return spent;
    }

    private static CostLimit.Reservation settled(CostLimit.Reservation reserved) {
        reserved.settle(100);
        return reserved;
    }

    private CostLimit limit(long amount) {
        return CostLimit.of("tokens", amount, Duration.ofMinutes(1)).time(time);
    }
}
