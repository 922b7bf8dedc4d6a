package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ordering keys: the events of a key are claimed one after another, whatever their settlements. */
interface OrderingContract extends StoreUnderTest {

    @Test
    default void events_of_one_key_are_claimed_one_after_the_other() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"), keyed(on, "c"));
        for (String id : List.of("a", "b", "c")) {
            Claim claim = on.claimOne();
            assertThat(claim.event().id()).isEqualTo(id);
            assertThat(on.claimEverything()).isEmpty();
            on.done(claim);
        }
        assertThat(on.claimEverything()).isEmpty();
    }

    @Test
    default void a_key_holds_up_no_event_of_another_key() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"), on.event("other").orderingKey("other"), on.event("free"));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a", "other", "free");
    }

    @Test
    default void a_retry_holds_up_its_key() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"));
        on.retry(on.claimOne(), Duration.ofMinutes(1));
        assertThat(on.claimEverything()).isEmpty();
        on.pass(Duration.ofMinutes(1));
        Claim again = on.claimOne();
        assertThat(again.event().id()).isEqualTo("a");
        on.done(again);
        assertThat(on.claimOne().event().id()).isEqualTo("b");
    }

    @Test
    default void a_snooze_and_a_release_hold_up_their_key() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"));
        on.settle(new Settlement.Snooze(on.claimOne(), on.time().now().plusSeconds(60)));
        assertThat(on.claimEverything()).isEmpty();
        on.pass(Duration.ofSeconds(60));
        on.settle(new Settlement.Release(on.claimOne()));
        assertThat(on.claimOne().event().id()).isEqualTo("a");
    }

    @Test
    default void a_crash_holds_up_its_key() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"));
        on.claimOne();
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        assertThat(on.store().recover(on.time().now())).isEqualTo(1);
        Claim suspect = on.claimOne();
        assertThat(suspect.event().id()).isEqualTo("a");
        on.done(suspect);
        assertThat(on.claimOne().event().id()).isEqualTo("b");
    }

    @Test
    default void a_dead_letter_frees_its_key() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"));
        on.dead(on.claimOne());
        assertThat(on.claimOne().event().id()).isEqualTo("b");
    }

    @Test
    default void a_delayed_event_holds_up_later_events_of_its_key() {
        StoreDriver on = open();
        on.publish(keyed(on, "a").delay(Duration.ofMinutes(1)), keyed(on, "b"));
        assertThat(on.claimEverything()).isEmpty();
        on.pass(Duration.ofMinutes(1));
        assertThat(on.claimOne().event().id()).isEqualTo("a");
    }

    @Test
    default void the_order_holds_across_priorities() {
        StoreDriver on = open();
        on.publish(keyed(on, "a").priority(Priority.LOW), keyed(on, "b").priority(Priority.CRITICAL));
        assertThat(on.claim(Lane.CRITICAL, 10)).isEmpty();
        on.done(on.claimOne());
        assertThat(StoreDriver.ids(on.claim(Lane.CRITICAL, 10))).containsExactly("b");
    }

    @Test
    default void redriven_events_keep_their_order_behind_waiting_events() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"), keyed(on, "c"));
        on.dead(on.claimOne());
        on.dead(on.claimOne());
        assertThat(on.redrive(LetterFilter.ALL)).isEqualTo(2);
        List<String> order = new ArrayList<>();
        for (List<Claim> next = on.claim(); !next.isEmpty(); next = on.claim()) {
            order.addAll(StoreDriver.ids(next));
            next.forEach(on::done);
        }
        assertThat(order).containsExactly("c", "a", "b");
    }

    @Test
    default void an_idle_key_starts_anew() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"));
        on.done(on.claimOne());
        on.publish(keyed(on, "b"));
        assertThat(on.claimOne().event().id()).isEqualTo("b");
    }

    @Test
    default void the_order_survives_a_crash() {
        StoreDriver on = open();
        on.publish(keyed(on, "a"), keyed(on, "b"), keyed(on, "c"));
        on.done(on.claimOne());
        StoreDriver after = on.on(reopened(on));
        Claim second = after.claimOne();
        assertThat(second.event().id()).isEqualTo("b");
        after.done(second);
        assertThat(after.claimOne().event().id()).isEqualTo("c");
    }

    @Test
    default void many_claimers_keep_the_order_of_each_key() {
        StoreDriver on = open();
        int keys = 5;
        int each = 12;
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < keys * each; i++) {
            events.add(on.event(i + "").orderingKey("key-" + i % keys).build());
        }
        on.publish(events);
        List<Event> handled = Collections.synchronizedList(new ArrayList<>());
        Together.run(4, thread -> {
            StoreDriver mine = on.on(joined(on));
            while (handled.size() < keys * each && !Thread.currentThread().isInterrupted()) {
                for (Claim claim : mine.claim(Lane.DOMAIN, 3)) {
                    handled.add(claim.event());
                    mine.done(claim);
                }
            }
            return null;
        });
        for (int key = 0; key < keys; key++) {
            int first = key;
            assertThat(handled.stream()
                            .filter(event -> event.orderingKey().orElseThrow().equals("key-" + first))
                            .map(event -> Integer.valueOf(event.id())))
                    .containsExactlyElementsOf(IntStream.range(0, each)
                            .mapToObj(i -> i * keys + first)
                            .toList());
        }
    }

    private static Event.Builder keyed(StoreDriver on, String id) {
        return on.event(id).orderingKey("customer-4");
    }
}
