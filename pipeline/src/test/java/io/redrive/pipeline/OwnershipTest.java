package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnershipTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final Ownership ownership = new Ownership(time, LEASE);

    @Test
    void claims_from_before_a_loss_stay_lost_although_leases_are_extended_again() {
        int before = ownership.losses();
        time.advance(LEASE.plusMillis(1));
        assertThat(ownership.holds(before, time.nanos())).isFalse();
        ownership.extend(() -> {});
        assertThat(ownership.holds(before, time.nanos())).isFalse();
        assertThat(ownership.holds(ownership.losses(), time.nanos())).isTrue();
    }

    @Test
    void a_slow_extension_counts_from_its_beginning() {
        ownership.extend(() -> time.advance(LEASE.dividedBy(2)));
        time.advance(LEASE.dividedBy(2).plusMillis(1));
        assertThat(ownership.holds(ownership.losses(), time.nanos())).isFalse();
    }
}
