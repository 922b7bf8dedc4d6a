package io.redrive.testkit;

import static io.redrive.events.PublishResult.ACCEPTED;
import static io.redrive.events.PublishResult.DUPLICATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Publishing: durable, all or none, each event once. */
interface PublishContract extends StoreUnderTest {

    @Test
    default void a_published_event_is_claimed_as_it_was_given() {
        StoreDriver on = open();
        Event whole = on.event("whole")
                .correlationId("order-17")
                .orderingKey("customer-4")
                .priority(Priority.LOW)
                .payload(new byte[] {0, -1, 127, -128, 10}, "application/x-odd")
                .header("trace", "00-abc")
                .header("näme", "välue \uD83D\uDE80 'quoted' \"twice\"")
                .created(on.time().now().minusNanos(1_000))
                .due(on.time().now())
                .deadline(on.time().now().plusSeconds(5))
                .build();
        Event bare = on.event("bare").build();
        on.publish(List.of(whole, bare));
        assertThat(on.claim()).extracting(Claim::event).containsExactly(bare, whole);
    }

    @Test
    default void a_published_event_survives_a_crash() {
        StoreDriver on = open();
        on.publish("a", "b");
        StoreDriver after = on.on(reopened(on));
        assertThat(after.publish("a")).containsExactly(DUPLICATE);
        assertThat(StoreDriver.ids(after.claim())).containsExactly("a", "b");
    }

    @Test
    default void nothing_to_publish_is_fine() {
        StoreDriver on = open();
        assertThat(on.publish(List.of())).isEmpty();
        assertThat(on.claim()).isEmpty();
    }

    @Test
    default void the_same_id_and_correlation_id_is_a_duplicate() {
        StoreDriver on = open();
        assertThat(on.publish(on.event("a"), on.event("a").correlationId("x"), on.event("a"), on.event("b")))
                .containsExactly(ACCEPTED, ACCEPTED, DUPLICATE, ACCEPTED);
        assertThat(on.publish(on.event("a").correlationId("y"), on.event("a").correlationId("x"), on.event("a")))
                .containsExactly(ACCEPTED, DUPLICATE, DUPLICATE);
        assertThat(on.claim()).hasSize(4);
    }

    @Test
    default void many_events_in_one_call_are_kept_whole_in_order_and_once() {
        StoreDriver on = open();
        on.publish("e7", "e100");
        on.claim().forEach(on::done);
        List<Event> events = new ArrayList<>();
        List<PublishResult> expected = new ArrayList<>();
        for (int i = 0; i < 260; i++) {
            Event.Builder event = on.event("e" + i % 250)
                    .payload(new byte[] {0, -1, (byte) i}, "application/x-odd")
                    .priority(i % 3 == 0 ? Priority.LOW : Priority.NORMAL)
                    .header("näme", "välue " + i)
                    .deadline(on.time().now().plusSeconds(500));
            events.add(i % 10 == 0 ? event.orderingKey("key " + i).build() : event.build());
            expected.add(i >= 250 || i == 7 || i == 100 ? DUPLICATE : ACCEPTED);
        }
        assertThat(on.publish(events)).isEqualTo(expected);

        List<Event> claimed = new ArrayList<>();
        for (List<Claim> some = on.claim(); !some.isEmpty(); some = on.claim()) {
            some.forEach(claim -> claimed.add(claim.event()));
        }
        List<Event> accepted = events.stream()
                .limit(250)
                .filter(event -> !List.of("e7", "e100").contains(event.id()))
                .toList();
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(accepted);
        for (Priority priority : List.of(Priority.LOW, Priority.NORMAL)) {
            Predicate<Event> inOrder = event -> event.orderingKey().isEmpty() && event.priority() == priority;
            assertThat(claimed.stream().filter(inOrder))
                    .containsExactlyElementsOf(accepted.stream().filter(inOrder).toList());
        }
    }

    @Test
    default void a_key_is_a_pair_and_not_a_joined_text() {
        StoreDriver on = open();
        assertThat(on.publish(on.event("a:b"), on.event("a").correlationId("b")))
                .containsExactly(ACCEPTED, ACCEPTED);
    }

    @Test
    default void a_duplicate_does_not_touch_the_first() {
        StoreDriver on = open();
        on.publish(on.event("a").text("first"));
        on.publish(on.event("a").text("second"));
        assertThat(on.claimOne().event().text()).isEqualTo("first");
    }

    @Test
    default void an_event_is_a_duplicate_whatever_became_of_the_first() {
        StoreDriver on = open();
        on.publish("claimed", "done", "dead", "redriven");
        List<Claim> claims = on.claim();
        on.done(claims.get(1));
        on.dead(claims.get(2));
        on.dead(claims.get(3));
        assertThat(on.redrive(LetterFilter.ALL.withText("redriven"))).isEqualTo(1);
        assertThat(on.publish("claimed", "done", "dead", "redriven")).allMatch(PublishResult::isDuplicate);
        assertThat(StoreDriver.ids(on.claim())).containsExactly("redriven");
    }

    @Test
    default void keys_are_remembered_for_a_day() {
        StoreDriver on = open();
        on.publish("a", "b");
        on.claim().forEach(on::done);
        on.pass(EventStore.DEFAULT_KEY_RETENTION.minusSeconds(1));
        assertThat(on.store().expire(on.time().now())).isZero();
        assertThat(on.publish("a")).containsExactly(DUPLICATE);
    }

    @Test
    default void keys_are_forgotten_in_steps_after_a_day() {
        StoreDriver on = open();
        on.publishMany(2_500);
        on.settleAll(Settlement.Done::new);
        on.pass(EventStore.DEFAULT_KEY_RETENTION.plusSeconds(1));
        int steps = 0;
        while (on.store().expire(on.time().now()) > 0) {
            steps++;
        }
        assertThat(steps).isBetween(1, 2_500);
        assertThat(on.publish("e0", "e2499")).containsOnly(ACCEPTED);
    }

    @Test
    default void the_retention_decides_and_not_when_keys_are_cleared() {
        StoreDriver on = open();
        on.publish("a", "b");
        on.claim().forEach(on::done);
        on.pass(EventStore.DEFAULT_KEY_RETENTION.plusSeconds(1));
        assertThat(on.publish("a")).containsExactly(ACCEPTED);
        assertThat(on.publish("a")).containsExactly(DUPLICATE);
        assertThat(on.store().expire(on.time().now())).as("b, and not a again").isEqualTo(1);
        assertThat(on.publish("a")).containsExactly(DUPLICATE);
    }

    @Test
    default void a_call_with_many_events_takes_old_keys_anew_and_tells_each_duplicate() {
        StoreDriver on = open();
        on.publish("e3", "e20");
        on.claim().forEach(on::done);
        on.pass(EventStore.DEFAULT_KEY_RETENTION.plusSeconds(1));
        on.publish("e7", "e39");
        on.claim().forEach(on::done);
        List<Event> events = new ArrayList<>();
        List<PublishResult> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Event.Builder event = on.event("e" + i);
            events.add((i % 4 == 0 ? event.orderingKey("k" + i) : event).build());
            expected.add(i == 7 || i == 39 ? DUPLICATE : ACCEPTED);
        }
        assertThat(on.publish(events)).isEqualTo(expected);
        assertThat(on.publish(events)).containsOnly(DUPLICATE);
        assertThat(on.claim()).hasSize(38);
    }

    @Test
    default void a_payload_may_be_as_large_as_the_limit() {
        StoreDriver on = open();
        byte[] full = new byte[EventStore.DEFAULT_MAX_PAYLOAD];
        full[full.length - 1] = 7;
        on.publish(on.event("a").payload(full, "application/octet-stream"));
        assertThat(on.claimOne().event().payload()).isEqualTo(full);
    }

    @Test
    default void one_payload_above_the_limit_refuses_the_whole_call() {
        StoreDriver on = open();
        byte[] tooLarge = new byte[EventStore.DEFAULT_MAX_PAYLOAD + 1];
        assertThatThrownBy(() -> on.publish(
                        on.event("a"), on.event("b").payload(tooLarge, "application/octet-stream"), on.event("c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload")
                .hasMessageContaining("1048576")
                .hasMessageContaining("1048577");
        assertThat(on.claim()).isEmpty();
        assertThat(on.publish("a", "c")).containsOnly(ACCEPTED);
    }

    @Test
    default void too_many_events_at_once_are_refused_and_none_is_stored() {
        StoreDriver on = open();
        List<Event> tooMany =
                Collections.nCopies(EventStore.MAX_PUBLISH + 1, on.event("a").build());
        assertThatThrownBy(() -> on.publish(tooMany))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10000")
                .hasMessageContaining("10001");
        assertThat(on.claim()).isEmpty();
    }

    @Test
    default void a_delayed_event_is_claimed_when_it_is_due_and_not_before() {
        StoreDriver on = open();
        on.publish(on.event("later").delay(Duration.ofMinutes(10)), on.event("now"));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("now");
        on.pass(Duration.ofMinutes(10).minusMillis(1));
        assertThat(on.claim()).isEmpty();
        on.pass(Duration.ofMillis(1));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("later");
    }

    @Test
    default void of_many_threads_publishing_the_same_events_one_is_accepted_for_each() {
        StoreDriver on = open();
        int ids = 400;
        List<List<PublishResult>> results = Together.run(8, thread -> {
            List<PublishResult> mine = new ArrayList<>();
            for (int i = 0; i < ids; i++) {
                mine.addAll(on.publish("e" + i));
            }
            return mine;
        });
        for (int i = 0; i < ids; i++) {
            int id = i;
            assertThat(results.stream().map(mine -> mine.get(id)).filter(ACCEPTED::equals))
                    .as("accepted e" + id)
                    .hasSize(1);
        }
        assertThat(on.stats().ready()).isEqualTo(ids);
    }

    @Test
    default void publishing_an_event_that_has_a_dead_letter_tells_which_letter() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").correlationId("c"));
        assertThat(on.publish(on.event("b"), on.event("a").correlationId("c"), on.event("a")))
                .containsExactly(ACCEPTED, PublishResult.duplicateOf(letter.id()), ACCEPTED);
        on.claim().forEach(on::done);
        on.redrive(LetterFilter.ofIds(List.of(letter.id())));
        assertThat(on.publish(on.event("a").correlationId("c")))
                .as("it waits again")
                .containsExactly(DUPLICATE);
    }

    @Test
    default void an_event_whose_letter_was_purged_may_be_published_again() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        on.redrive(LetterFilter.ALL);
        on.dead(on.claimOne());
        on.letter(on.event("b"));
        assertThat(on.publish("a").get(0).letter()).isPresent();
        on.letters()
                .purge(
                        LetterFilter.ofIds(List.of(on.all().get(0).id())),
                        10,
                        "ann",
                        on.time().now());
        assertThat(on.publish("a")).containsExactly(ACCEPTED);
        assertThat(on.publish("b").get(0).isDuplicate()).isTrue();
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a");
    }

    @Test
    default void purging_an_old_letter_leaves_the_key_of_a_later_publication() {
        StoreDriver on = open();
        DeadLetter old = on.letter(on.event("a"));
        on.pass(EventStore.DEFAULT_KEY_RETENTION);
        assertThat(on.publish("a")).containsExactly(ACCEPTED);
        on.letters()
                .purge(
                        LetterFilter.ofIds(List.of(old.id())),
                        10,
                        "ann",
                        on.time().now());
        assertThat(on.publish("a")).containsExactly(DUPLICATE);
    }

    @Test
    default void publishing_wakes_who_asked_for_it() {
        StoreDriver on = open();
        AtomicInteger woken = new AtomicInteger();
        on.store().onPublished(woken::incrementAndGet);
        on.publish("a");
        assertThat(woken).hasValueGreaterThanOrEqualTo(1);
    }
}
