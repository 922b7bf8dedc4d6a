package io.redrive.testkit;

import static io.redrive.events.PublishResult.ACCEPTED;
import static io.redrive.events.PublishResult.DUPLICATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import io.redrive.events.Settlement;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.UnfinishedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Claiming events in the transaction that publishes them: the claims are like all other claims. */
interface ImmediateClaimContract extends StoreUnderTest {

    /** Publishes events, and claims all that can be claimed. */
    private static PublishedEvents publish(StoreDriver on, List<Event> events) {
        BitSet all = new BitSet();
        all.set(0, events.size());
        ImmediateClaim claim = new ImmediateClaim(StoreDriver.NODE, all, StoreDriver.LEASE);
        return on.store().publish(events, claim, on.time().now());
    }

    private static PublishedEvents publish(StoreDriver on, String... ids) {
        return publish(
                on,
                Set.of(ids).stream().sorted().map(id -> on.event(id).build()).toList());
    }

    @Test
    default void an_event_claimed_while_published_is_not_claimed_again() {
        StoreDriver on = open();
        PublishedEvents published = publish(on, "a", "b");
        assertThat(published.results()).containsExactly(ACCEPTED, ACCEPTED);
        assertThat(StoreDriver.ids(published.claims())).containsExactly("a", "b");
        assertThat(on.claimEverything()).isEmpty();
        assertThat(on.stats().claimed()).isEqualTo(2);
        published.claims().forEach(on::done);
        assertThat(on.stats().claimed()).isZero();
        assertThat(on.publish("a")).containsExactly(DUPLICATE);
    }

    @Test
    default void an_immediate_claim_says_that_nothing_happened_before() {
        StoreDriver on = open();
        on.pass(Duration.ofSeconds(3));
        Event event = on.event("a")
                .correlationId("c")
                .header("trace", "00-abc")
                .payload(new byte[] {0, -1, 10}, "application/x-odd")
                .created(on.time().now().minusSeconds(1))
                .build();
        Claim claim = publish(on, List.of(event)).claims().get(0);
        assertThat(claim.event()).isEqualTo(event);
        assertThat(claim.attempts()).isEqualTo(Attempts.NONE);
        assertThat(claim.firstClaimed()).isEqualTo(on.time().now());
        assertThat(claim.lastDelay()).isZero();
        assertThat(claim.redrives()).isZero();
        assertThat(claim.deadline()).isEmpty();
        assertThat(claim.unreadable()).isEmpty();
    }

    @Test
    default void immediate_claims_are_fenced_like_all_claims() {
        StoreDriver on = open();
        Claim first = publish(on, "a").claims().get(0);
        Claim second = publish(on, "b").claims().get(0);
        assertThat(second.position()).isGreaterThan(first.position());
        assertThat(second.token()).isNotEqualTo(first.token());
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        on.store().recover(on.time().now());
        assertThat(on.settle(new Settlement.Done(first))).containsExactly(first);
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a", "b");
    }

    @Test
    default void only_due_events_without_ordering_key_and_deadline_are_claimed_at_once() {
        StoreDriver on = open();
        PublishedEvents published = publish(
                on,
                List.of(
                        on.event("ordered").orderingKey("k").build(),
                        on.event("later").delay(Duration.ofSeconds(1)).build(),
                        on.event("urgent")
                                .deadline(on.time().now().plusSeconds(60))
                                .build(),
                        on.event("plain").build()));
        assertThat(published.results()).containsOnly(ACCEPTED);
        assertThat(StoreDriver.ids(published.claims())).containsExactly("plain");
        assertThat(published.leavesWork()).isTrue();
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactlyInAnyOrder("ordered", "urgent");
        on.pass(Duration.ofSeconds(1));
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactly("later");
    }

    @Test
    default void events_that_were_not_asked_for_are_ready() {
        StoreDriver on = open();
        BitSet second = new BitSet();
        second.set(1);
        PublishedEvents published = on.store()
                .publish(
                        List.of(
                                on.event("a").build(),
                                on.event("b").build(),
                                on.event("c").build()),
                        new ImmediateClaim(StoreDriver.NODE, second, StoreDriver.LEASE),
                        on.time().now());
        assertThat(StoreDriver.ids(published.claims())).containsExactly("b");
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a", "c");
    }

    @Test
    default void duplicates_are_not_claimed() {
        StoreDriver on = open();
        on.publish("known");
        PublishedEvents published = publish(
                on,
                List.of(
                        on.event("known").build(),
                        on.event("new").build(),
                        on.event("new").build()));
        assertThat(published.results()).containsExactly(DUPLICATE, ACCEPTED, DUPLICATE);
        assertThat(StoreDriver.ids(published.claims())).containsExactly("new");
        assertThat(published.leavesWork()).isFalse();
        PublishedEvents again = publish(on, "known", "new");
        assertThat(again.results()).containsOnly(DUPLICATE);
        assertThat(again.claims()).isEmpty();
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactly("known");
    }

    @Test
    default void of_many_events_each_new_one_is_claimed_or_ready_and_each_once() {
        StoreDriver on = open();
        on.publish("e3", "e20", "e21");
        on.claim().forEach(on::done);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Event.Builder event = on.event("e" + i % 50).text("payload " + i);
            events.add((i % 7 == 0 ? event.orderingKey("k" + i) : event).build());
        }
        BitSet even = new BitSet();
        for (int i = 0; i < events.size(); i += 2) {
            even.set(i);
        }
        PublishedEvents published = on.store()
                .publish(
                        events,
                        new ImmediateClaim(StoreDriver.NODE, even, StoreDriver.LEASE),
                        on.time().now());
        List<Event> claimed = new ArrayList<>();
        List<String> ready = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            boolean isNew = i < 50 && i != 3 && i != 20 && i != 21;
            assertThat(published.results().get(i).isDuplicate())
                    .as("event %d", i)
                    .isEqualTo(!isNew);
            if (isNew && i % 2 == 0 && i % 7 != 0) {
                claimed.add(events.get(i));
            } else if (isNew) {
                ready.add("e" + i);
            }
        }
        assertThat(published.claims()).extracting(Claim::event).containsExactlyElementsOf(claimed);
        assertThat(published.claims()).extracting(Claim::position).isSorted();
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactlyInAnyOrderElementsOf(ready);
        assertThat(on.settle(
                        published.claims().stream().map(Settlement.Done::new).toArray(Settlement[]::new)))
                .isEmpty();
    }

    @Test
    default void events_of_one_call_keep_their_values_whichever_they_share_and_whichever_are_claimed() {
        StoreDriver on = open();
        List<UnaryOperator<Event.Builder>> differences = List.of(
                UnaryOperator.identity(),
                event -> event.correlationId("other"),
                event -> event.source("other"),
                event -> event.priority(Priority.CRITICAL),
                event -> event.contentType("text/other"),
                event -> event.created(on.time().now().minusSeconds(7)),
                event -> event.due(on.time().now().minusSeconds(3)),
                event -> event.text("a longer payload"),
                event -> event.header("key", "value"),
                event -> event.orderingKey("key"),
                event -> event.deadline(on.time().now().plusSeconds(500)));
        for (int count : new int[] {2, 20}) {
            for (int difference = 0; difference < differences.size(); difference++) {
                for (int claimed : new int[] {0, 1, count}) {
                    String call = "of " + count + " events " + claimed + " claimed, difference " + difference;
                    List<Event> events = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        String name = i == 1 && difference == 0 ? "order.sent" : "order.paid";
                        Event.Builder event = Event.named(name)
                                .id(call + " " + i)
                                .source("shop")
                                .time(on.time())
                                .correlationId("c");
                        events.add((i == 1 ? differences.get(difference).apply(event) : event).build());
                    }
                    BitSet wanted = new BitSet();
                    wanted.set(0, claimed);
                    ImmediateClaim claim = new ImmediateClaim(StoreDriver.NODE, wanted, StoreDriver.LEASE);
                    on.store().publish(events, claim, on.time().now()).claims().stream()
                            .map(Settlement.Release::new)
                            .forEach(on::settle);
                    List<Claim> claims = on.claimEverything();
                    assertThat(claims).as(call).extracting(Claim::event).containsExactlyInAnyOrderElementsOf(events);
                    claims.forEach(on::done);
                }
            }
        }
    }

    @Test
    default void a_retry_of_an_immediate_claim_comes_back_with_its_attempt() {
        StoreDriver on = open();
        on.retry(publish(on, "a").claims().get(0), Duration.ofSeconds(10));
        assertThat(on.claim()).isEmpty();
        on.pass(Duration.ofSeconds(10));
        Claim again = on.claimOne();
        assertThat(again.attempts().failed()).isEqualTo(1);
        assertThat(again.firstClaimed()).isEqualTo(on.time().now().minusSeconds(10));
    }

    @Test
    default void a_dead_immediate_claim_is_a_letter_of_the_whole_event() {
        StoreDriver on = open();
        Event event = on.event("a").correlationId("c").text("payload").build();
        on.dead(publish(on, List.of(event)).claims().get(0));
        assertThat(on.all())
                .hasSize(1)
                .allSatisfy(letter -> assertThat(letter.event()).isEqualTo(event));
    }

    @Test
    default void an_immediate_claim_of_a_dead_process_is_ready_after_its_lease() {
        StoreDriver on = open();
        publish(on, "a");
        StoreDriver after = on.on(reopened(on));
        assertThat(after.publish("a")).containsExactly(DUPLICATE);
        assertThat(after.claim()).isEmpty();
        after.pass(StoreDriver.LEASE.plusMillis(1));
        assertThat(after.store().recover(after.time().now())).isEqualTo(1);
        assertThat(after.claimOne().attempts().crashed()).isEqualTo(1);
    }

    @Test
    default void the_lease_of_an_immediate_claim_can_be_extended() {
        StoreDriver on = open();
        Claim claim = publish(on, "a").claims().get(0);
        on.pass(StoreDriver.LEASE.minusSeconds(1));
        on.store().extend(List.of(claim.token()), StoreDriver.LEASE, on.time().now());
        on.pass(StoreDriver.LEASE.minusSeconds(1));
        assertThat(on.store().recover(on.time().now())).isZero();
        on.done(claim);
    }

    @Test
    default void an_event_claimed_while_published_cannot_be_cancelled() {
        StoreDriver on = open();
        Claim claim = publish(on, "a").claims().get(0);
        assertThat(on.store().cancel("a", null, on.time().now())).isFalse();
        on.done(claim);
    }

    @Test
    default void an_event_claimed_while_published_is_found_by_its_texts_claimed_waiting_and_recovered() {
        StoreDriver on = open();
        List<Event> events = new ArrayList<>();
        for (String id : List.of("retried", "released", "snoozed", "recovered", "dead")) {
            events.add(on.event(id).correlationId("chain").build());
        }
        List<Claim> claims = publish(on, events).claims();
        assertFound(on, EventQuery.correlationId("chain"), "retried", "released", "snoozed", "recovered", "dead");
        assertFound(on, EventQuery.name("order.paid"), "retried", "released", "snoozed", "recovered", "dead");
        assertFound(on, EventQuery.id("dead"), "dead");
        assertThat(on.settle(
                        on.retryOf(claims.get(0), Duration.ofSeconds(1)),
                        new Settlement.Release(claims.get(1)),
                        new Settlement.Snooze(claims.get(2), on.time().now().plusSeconds(1)),
                        on.deadOf(claims.get(4))))
                .isEmpty();
        assertFound(on, EventQuery.correlationId("chain"), "retried", "released", "snoozed", "recovered");
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        on.store().recover(on.time().now());
        assertFound(on, EventQuery.correlationId("chain"), "retried", "released", "snoozed", "recovered");
        assertThat(on.claim()).hasSize(4);
        assertFound(on, EventQuery.correlationId("chain"), "retried", "released", "snoozed", "recovered");
    }

    private static void assertFound(StoreDriver on, EventQuery query, String... ids) {
        assertThat(on.store().unfinished().find(query, 100, on.time().now()))
                .extracting(UnfinishedEvent::id)
                .containsExactlyInAnyOrder(ids);
    }

    @Test
    default void a_refused_call_claims_nothing() {
        StoreDriver on = open();
        Event tooLarge = on.event("b")
                .payload(new byte[EventStore.DEFAULT_MAX_PAYLOAD + 1], "application/octet-stream")
                .build();
        assertThatThrownBy(() -> publish(on, List.of(on.event("a").build(), tooLarge)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload");
        assertThat(on.stats().claimed()).isZero();
        assertThat(on.publish("a")).containsExactly(ACCEPTED);
    }

    @Test
    default void an_event_that_was_not_claimed_at_once_wakes_who_asked_for_it() {
        StoreDriver on = open();
        assertThat(publish(on, "a", "b").leavesWork()).isFalse();
        assertThat(publish(on, "a").leavesWork()).isFalse();
        AtomicInteger woken = new AtomicInteger();
        on.store().onPublished(woken::incrementAndGet);
        publish(on, List.of(on.event("c").orderingKey("k").build()));
        assertThat(woken).hasValueGreaterThanOrEqualTo(1);
    }

    @Test
    default void of_many_publishers_of_the_same_events_one_claims_each() {
        StoreDriver on = open();
        int ids = 200;
        List<List<PublishedEvents>> all = Together.run(8, thread -> {
            List<PublishedEvents> mine = new ArrayList<>();
            for (int i = 0; i < ids; i++) {
                mine.add(publish(on, "e" + i));
            }
            return mine;
        });
        List<Claim> claims = all.stream()
                .flatMap(List::stream)
                .flatMap(published -> published.claims().stream())
                .toList();
        assertThat(Set.copyOf(StoreDriver.ids(claims))).hasSize(ids).hasSameSizeAs(claims);
        assertThat(claims.stream().map(Claim::position).collect(Collectors.toSet()))
                .hasSize(ids);
        assertThat(all.stream()
                        .flatMap(List::stream)
                        .flatMap(published -> published.results().stream())
                        .filter(PublishResult.ACCEPTED::equals))
                .hasSize(ids);
        assertThat(on.stats().claimed()).isEqualTo(ids);
    }
}
