package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheringTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int FULL = 10;
    private static final List<ClaimEnd> ONE = List.of(done(event()));

    private final Gathering gathering = new Gathering();

    private static Event.Builder event() {
        return Event.named("order.paid").source("shop").created(NOW);
    }

    private static ClaimEnd done(Event.Builder event) {
        return new ClaimEnd.Decided(
                new Settlement.Done(new Claim(event.build(), 1, 1, Attempts.NONE, NOW, Duration.ZERO, 0)));
    }

    private boolean waits(Instant now) {
        return gathering.waits(ONE, FULL, now);
    }

    @Test
    void a_wait_begins_with_the_first_settlement_and_ends_at_its_limit_whatever_comes_meanwhile() {
        assertThat(gathering.isWaiting()).isFalse();

        assertThat(waits(NOW)).isTrue();
        assertThat(gathering.until()).isEqualTo(NOW.plus(Gathering.LONGEST));
        assertThat(waits(NOW.plusMillis(6))).isTrue();
        assertThat(gathering.until()).isEqualTo(NOW.plus(Gathering.LONGEST));
        assertThat(waits(NOW.plus(Gathering.LONGEST))).isFalse();
    }

    @Test
    void an_ended_wait_begins_anew() {
        waits(NOW);
        gathering.end();

        assertThat(gathering.isWaiting()).isFalse();
        assertThat(gathering.until()).isEqualTo(Instant.MAX);
        assertThat(waits(NOW.plusSeconds(5))).isTrue();
    }

    @Test
    void a_clock_that_was_set_back_does_not_prolong_the_wait() {
        waits(NOW);

        Instant earlier = NOW.minusSeconds(3_600);
        assertThat(waits(earlier)).isTrue();
        assertThat(waits(earlier.plus(Gathering.LONGEST))).isFalse();
    }

    @Test
    void a_clock_that_stands_still_ends_the_wait() {
        assertThat(waits(NOW)).isTrue();
        assertThat(waits(NOW)).isFalse();
    }

    @Test
    void a_full_load_waits_for_nothing_and_neither_does_an_event_with_an_ordering_key() {
        assertThat(gathering.waits(Collections.nCopies(FULL, ONE.get(0)), FULL, NOW))
                .isFalse();
        assertThat(gathering.waits(List.of(ONE.get(0), done(event().orderingKey("a"))), FULL, NOW))
                .isFalse();
        assertThat(gathering.waits(List.of(), FULL, NOW)).isFalse();
        assertThat(gathering.isWaiting()).isFalse();
    }
}
