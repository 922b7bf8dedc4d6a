package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.Settlement.Snooze.Cause;
import io.redrive.events.StoreStats;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Statistics: every event is counted in one place. */
interface StatsContract extends StoreUnderTest {

    @Test
    default void an_empty_store_counts_nothing() {
        assertThat(open().stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void every_event_is_counted_where_it_is() {
        StoreDriver on = open();
        on.publish(
                on.event("a"),
                on.event("b"),
                on.event("c"),
                on.event("d"),
                on.event("later").delay(Duration.ofHours(1)));
        on.pass(Duration.ofSeconds(5));
        assertThat(on.stats()).isEqualTo(new StoreStats(4, 1, 0, 0, Duration.ofSeconds(5)));
        Claim first = on.claim(Lane.DOMAIN, 1).get(0);
        assertThat(on.stats()).isEqualTo(new StoreStats(3, 1, 1, 0, Duration.ofSeconds(5)));
        on.dead(first);
        assertThat(on.stats()).isEqualTo(new StoreStats(3, 1, 0, 1, Duration.ofSeconds(5)));
        on.retry(on.claim(Lane.DOMAIN, 1).get(0), Duration.ofMinutes(1));
        assertThat(on.stats()).isEqualTo(new StoreStats(2, 2, 0, 1, Duration.ofSeconds(5)));
        on.claim().forEach(on::done);
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 2, 0, 1, Duration.ZERO));
        on.redrive(LetterFilter.ALL);
        assertThat(on.stats()).isEqualTo(new StoreStats(1, 2, 0, 0, Duration.ZERO));
    }

    @Test
    default void an_event_that_waits_for_its_key_is_counted_by_its_due_time() {
        StoreDriver on = open();
        on.publish(
                on.event("a").orderingKey("k"),
                on.event("b").orderingKey("k"),
                on.event("c").orderingKey("k").delay(Duration.ofHours(1)));
        on.claimOne();
        StoreStats stats = on.stats();
        assertThat(stats.ready()).isEqualTo(1);
        assertThat(stats.delayed()).isEqualTo(1);
        assertThat(stats.claimed()).isEqualTo(1);
        assertThat(stats.waiting()).isEqualTo(new StoreStats.Waiting(2, 0, Duration.ZERO, 0, 0));
    }

    @Test
    default void causes_of_waiting_are_counted_apart() {
        StoreDriver on = open();
        on.publish(on.event("scheduled").delay(Duration.ofHours(1)));
        on.publish("backoff", "asked", "paused", "paused-too", "no-token");
        for (Claim claim : on.claim()) {
            switch (claim.event().id()) {
                case "backoff" -> on.retry(claim, Duration.ofMinutes(1));
                case "asked" -> snooze(on, claim, Cause.ASKED);
                case "no-token" -> snooze(on, claim, Cause.NO_TOKEN);
                default -> snooze(on, claim, Cause.PAUSED);
            }
        }
        StoreStats stats = on.stats();
        assertThat(stats.delayed()).isEqualTo(6);
        assertThat(stats.waiting()).isEqualTo(new StoreStats.Waiting(0, 0, Duration.ZERO, 2, 1));
        on.pass(Duration.ofMinutes(1));
        assertThat(on.stats().ready()).isEqualTo(5);
        assertThat(on.stats().waiting())
                .as("what is due waits for a claim only")
                .isEqualTo(StoreStats.Waiting.NONE);
        on.claim().forEach(claim -> on.retry(claim, Duration.ofMinutes(1)));
        assertThat(on.stats().waiting()).as("a retry waits for its backoff").isEqualTo(StoreStats.Waiting.NONE);
    }

    private static void snooze(StoreDriver on, Claim claim, Cause cause) {
        on.settle(new Settlement.Snooze(claim, on.time().now().plusSeconds(60), cause));
    }
}
