package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.PublishResult;
import io.redrive.events.Scheduled;
import io.redrive.events.Scheduled.Filter;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events without a claim: listing scheduled events, and cancelling. */
interface ScheduledContract extends StoreUnderTest {

    @Test
    default void only_scheduled_events_are_listed_and_by_due_time() {
        StoreDriver on = open();
        on.publish(later(on, "c", 3), later(on, "a", 1), later(on, "b", 2), on.event("now"));
        on.publish("retried");
        for (Claim claim : on.claim()) {
            on.retry(claim, Duration.ofHours(1));
        }
        assertThat(ids(on, Filter.ALL)).containsExactly("a", "b", "c");
        Scheduled first = on.store().scheduled(Filter.ALL, 1, on.time().now()).get(0);
        assertThat(first.event()).isEqualTo(later(on, "a", 1).build());
        on.pass(Duration.ofHours(1));
        assertThat(ids(on, Filter.ALL))
                .as("what is due is not scheduled any more")
                .containsExactly("b", "c");
    }

    @Test
    default void the_list_is_restricted_by_name_and_due_time() {
        StoreDriver on = open();
        on.publish(
                later(on, "a", 1),
                Event.named("mail.sent").id("b").source("shop").time(on.time()).delay(Duration.ofHours(2)),
                Event.named("mail.read").id("c").source("shop").time(on.time()).delay(Duration.ofHours(3)));
        assertThat(ids(on, Filter.ALL.withName("mail.*"))).containsExactly("b", "c");
        assertThat(ids(on, Filter.ALL.withName("mail.read"))).containsExactly("c");
        assertThat(ids(on, Filter.ALL.withDueBefore(on.time().now().plus(Duration.ofHours(2)))))
                .containsExactly("a");
    }

    @Test
    default void the_list_comes_in_pages() {
        StoreDriver on = open();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            events.add(on.event("e" + i).delay(Duration.ofMinutes(1 + i / 10)).build());
        }
        on.publish(events);
        List<String> listed = new ArrayList<>();
        Filter filter = Filter.ALL;
        for (List<Scheduled> page = page(on, filter); !page.isEmpty(); page = page(on, filter)) {
            page.forEach(each -> listed.add(each.event().id()));
            filter = filter.after(page.get(page.size() - 1));
        }
        assertThat(listed).isEqualTo(events.stream().map(Event::id).toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> on.store().scheduled(Filter.ALL, 0, on.time().now()))
                .withMessage("limit must be between 1 and 1000, got 0");
    }

    @Test
    default void a_cancelled_event_is_never_handled_and_may_be_published_again() {
        StoreDriver on = open();
        on.publish(later(on, "a", 1), later(on, "b", 1).correlationId("c"));
        assertThat(cancel(on, "a")).isTrue();
        assertThat(cancel(on, "a")).as("a second time").isFalse();
        assertThat(cancel(on, "b")).as("without its correlation id").isFalse();
        assertThat(cancel(on, "b", "c")).isTrue();
        assertThat(cancel(on, "nobody")).isFalse();
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
        assertThat(on.publish(later(on, "a", 2))).containsExactly(PublishResult.ACCEPTED);
        on.pass(Duration.ofHours(2));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a");
    }

    @Test
    default void an_event_that_waits_in_its_queue_or_is_set_aside_is_cancelled_too() {
        StoreDriver on = open();
        on.publish("ready", "aside");
        assertThat(cancel(on, "ready")).isTrue();
        ClaimFilter none = ClaimFilter.of(Set.of());
        on.store()
                .claim(new ClaimRequest(
                        StoreDriver.NODE,
                        Lane.DOMAIN,
                        10,
                        false,
                        StoreDriver.LEASE,
                        on.time().now(),
                        none));
        assertThat(on.stats().waiting().setAside()).isEqualTo(1);
        assertThat(cancel(on, "aside")).isTrue();
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void an_event_that_was_claimed_cannot_be_cancelled() {
        StoreDriver on = open();
        on.publish("claimed", "retried", "done", "dead");
        List<Claim> claims = on.claim();
        on.retry(claims.get(1), Duration.ofHours(1));
        on.done(claims.get(2));
        on.dead(claims.get(3));
        for (String id : List.of("claimed", "retried", "done", "dead")) {
            assertThat(cancel(on, id)).as(id).isFalse();
        }
        on.redrive(LetterFilter.ALL);
        assertThat(cancel(on, "dead")).as("redriven").isFalse();
        on.done(claims.get(0));
    }

    @Test
    default void a_cancelled_event_makes_way_for_the_next_of_its_key() {
        StoreDriver on = open();
        on.publish(
                on.event("first").orderingKey("k").delay(Duration.ofHours(1)),
                on.event("second").orderingKey("k"),
                on.event("third").orderingKey("k"));
        assertThat(on.claim()).isEmpty();
        assertThat(cancel(on, "second")).isTrue();
        assertThat(on.claim()).as("the first is still to come").isEmpty();
        assertThat(cancel(on, "first")).isTrue();
        assertThat(StoreDriver.ids(on.claim())).containsExactly("third");
        assertThat(cancel(on, "third")).isFalse();
    }

    @Test
    default void an_event_is_cancelled_before_anybody_has_looked_at_its_line() {
        StoreDriver on = open();
        on.publish(on.event("first").orderingKey("k"), on.event("second").orderingKey("k"));
        assertThat(cancel(on, "first")).isTrue();
        assertThat(StoreDriver.ids(on.claim())).containsExactly("second");
    }

    @Test
    default void an_event_is_cancelled_also_when_its_key_was_forgotten() {
        StoreDriver on = open();
        on.publish(on.event("a").delay(EventStore.DEFAULT_KEY_RETENTION.multipliedBy(3)));
        on.pass(EventStore.DEFAULT_KEY_RETENTION);
        on.store().expire(on.time().now());
        assertThat(cancel(on, "a")).isTrue();
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void of_a_claim_and_a_cancel_at_the_same_time_one_gets_the_event() {
        StoreDriver on = open();
        int events = 200;
        on.publishMany(events);
        List<Integer> counts = Together.run(2, thread -> {
            StoreDriver mine = on.on(joined(on));
            int had = 0;
            for (int i = 0; i < events; i++) {
                had += thread == 0 ? mine.claim(Lane.DOMAIN, 1).size() : cancel(mine, "e" + (events - 1 - i)) ? 1 : 0;
            }
            return had;
        });
        assertThat(counts.get(0) + counts.get(1)).isEqualTo(events);
        assertThat(on.stats().ready()).isZero();
    }

    private static Event.Builder later(StoreDriver on, String id, int hours) {
        return on.event(id).delay(Duration.ofHours(hours));
    }

    /** Cancels an event without a correlation id. */
    private static boolean cancel(StoreDriver on, String id) {
        return on.store().cancel(id, null, on.time().now());
    }

    private static boolean cancel(StoreDriver on, String id, String correlationId) {
        return on.store().cancel(id, correlationId, on.time().now());
    }

    private static List<Scheduled> page(StoreDriver on, Filter filter) {
        return on.store().scheduled(filter, 7, on.time().now());
    }

    private static List<String> ids(StoreDriver on, Filter filter) {
        return on.store().scheduled(filter, 100, on.time().now()).stream()
                .map(each -> each.event().id())
                .toList();
    }
}
