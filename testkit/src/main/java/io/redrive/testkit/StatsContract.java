package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
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
    }
}
