package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HoldTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final Hold hold = new Hold(time, LEASE);

    @Test
    void claims_from_before_a_loss_stay_lost_although_leases_are_extended_again() {
        int before = hold.losses();
        time.advance(LEASE.plusMillis(1));
        assertThat(hold.holds(before)).isFalse();
        hold.extend(() -> {});
        assertThat(hold.holds(before)).isFalse();
        assertThat(hold.holds(hold.losses())).isTrue();
    }

    @Test
    void a_slow_extension_counts_from_its_beginning() {
        hold.extend(() -> time.advance(LEASE.dividedBy(2)));
        time.advance(LEASE.dividedBy(2).plusMillis(1));
        assertThat(hold.holds(hold.losses())).isFalse();
    }
}
