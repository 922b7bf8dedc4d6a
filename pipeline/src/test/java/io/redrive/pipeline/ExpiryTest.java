package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpiryTest {

    private static final Duration POLL = Duration.ofSeconds(1);

    private final Rig rig = new Rig();
    private final List<Instant> calls = new ArrayList<>();
    private int left;

    private final Expiry expiry = new Expiry(
            new ForwardingStore(rig.store) {
                @Override
                public int expire(Instant now) {
                    calls.add(now);
                    return left > 0 ? left-- : 0;
                }
            },
            POLL);

    private void workFor(Duration total) {
        Instant end = rig.time.now().plus(total);
        while (!rig.time.now().isAfter(end)) {
            expiry.work(rig.time.now());
            rig.time.advance(POLL);
        }
    }

    @Test
    void the_first_removal_comes_some_seconds_after_the_start_and_then_one_a_minute() {
        Instant start = rig.time.now();
        workFor(Duration.ofSeconds(200));
        assertThat(calls)
                .containsExactly(
                        start.plusSeconds(5), start.plusSeconds(65), start.plusSeconds(125), start.plusSeconds(185));
    }

    @Test
    void while_expired_keys_are_left_the_next_removal_comes_soon() {
        left = 3;
        Instant start = rig.time.now();
        workFor(Duration.ofSeconds(20));
        assertThat(calls)
                .containsExactly(
                        start.plusSeconds(5), start.plusSeconds(6), start.plusSeconds(7), start.plusSeconds(8));
    }

    @Test
    void a_clock_set_back_an_hour_does_not_stop_the_removal() {
        workFor(Duration.ofSeconds(10));
        rig.time.jump(Duration.ofHours(-1));
        calls.clear();
        workFor(POLL);
        assertThat(calls).isNotEmpty();
    }

    @Test
    void a_clock_set_back_before_the_first_removal_does_not_put_it_off() {
        expiry.work(rig.time.now());
        rig.time.jump(Duration.ofHours(-1));
        workFor(Duration.ofSeconds(2));
        assertThat(calls).isNotEmpty();
    }
}
