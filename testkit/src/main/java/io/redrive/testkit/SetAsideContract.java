package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.Priority;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claimers that accept different names: each gets its own events, and never waits behind events of different names. */
interface SetAsideContract extends StoreUnderTest {

    @Test
    default void a_claim_takes_only_names_that_its_filter_accepts() {
        StoreDriver on = open();
        on.publish(named(on, "a", "order.paid"), named(on, "b", "mail.sent"), named(on, "c", "order.refund.asked"));
        assertThat(StoreDriver.ids(claim(on, "order.*"))).containsExactly("a", "c");
        assertThat(claim(on, "order.*")).isEmpty();
        assertThat(StoreDriver.ids(claim(on, "mail.sent"))).containsExactly("b");
    }

    @Test
    default void a_filter_without_patterns_takes_nothing_and_loses_nothing() {
        StoreDriver on = open();
        on.publish("a", "b");
        assertThat(claim(on)).isEmpty();
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a", "b");
    }

    @Test
    default void a_pattern_ends_at_its_dot() {
        StoreDriver on = open();
        on.publish(
                named(on, "a", "ml.run.x"),
                named(on, "b", "ml.runner.x"),
                named(on, "c", "ml.run"),
                named(on, "d", "ml.run-x"));
        assertThat(claim(on)).isEmpty();
        assertThat(StoreDriver.ids(claim(on, "ml.run.*"))).containsExactly("a");
        assertThat(StoreDriver.ids(claim(on, "ml.run"))).containsExactly("c");
        assertThat(StoreDriver.ids(claim(on, "*"))).containsExactly("b", "d");
    }

    @Test
    default void thousands_of_foreign_events_in_front_do_not_hold_up_ones_own() {
        StoreDriver on = open();
        publishMany(on, "mail.sent", 5_000);
        on.publish(named(on, "own", "order.paid"));
        List<Claim> claims = List.of();
        int exchanges = 0;
        boolean more = true;
        while (claims.isEmpty() && more) {
            Exchange exchange = on.store()
                    .exchange(
                            List.of(),
                            List.of(request(on, Lane.DOMAIN, 10, filter("order.*"))),
                            on.time().now());
            claims = exchange.claims();
            more = exchange.more();
            exchanges++;
        }
        assertThat(StoreDriver.ids(claims)).containsExactly("own");
        assertThat(exchanges).isLessThan(10);
        assertThat(on.stats().ready()).isEqualTo(5_000);
    }

    @Test
    default void events_that_were_set_aside_come_oldest_first_and_no_more_than_asked_for() {
        StoreDriver on = open();
        for (int i = 0; i < 6; i++) {
            on.publish(named(on, "e" + i, i % 2 == 0 ? "mail.sent" : "mail.read"));
            on.pass(Duration.ofMillis(1));
        }
        claim(on, "order.*");
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 2, filter("mail.*")))).containsExactly("e0", "e1");
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 3, filter("mail.*")))).containsExactly("e2", "e3", "e4");
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 3, filter("mail.*")))).containsExactly("e5");
    }

    @Test
    default void events_that_were_set_aside_count_against_the_limit_of_bytes() {
        StoreDriver on = open();
        byte[] large = new byte[1024 * 1024];
        int events = (int) (ClaimRequest.MAX_BYTES / large.length) + 3;
        for (int i = 0; i < events; i++) {
            on.publish(named(on, "e" + i, "mail.sent").payload(large, "application/octet-stream"));
        }
        while (on.store()
                .exchange(
                        List.of(),
                        List.of(request(on, Lane.DOMAIN, 100, filter("order.*"))),
                        on.time().now())
                .more()) {
            // Large events are set aside in several steps.
        }
        assertThat(claim(on, "mail.sent")).hasSize(events - 3);
        assertThat(claim(on, "mail.sent")).hasSize(3);
    }

    @Test
    default void urgent_events_that_were_set_aside_stay_urgent() {
        StoreDriver on = open();
        on.publish(named(on, "low", "mail.sent").priority(Priority.LOW), named(on, "normal", "mail.sent"));
        on.publish(named(on, "critical", "mail.sent").priority(Priority.CRITICAL));
        claim(on, "order.*");
        claim(on, Lane.CRITICAL, 10, filter("order.*"));
        assertThat(StoreDriver.ids(claim(on, Lane.CRITICAL, 10, filter("mail.*"))))
                .containsExactly("critical");
        assertThat(StoreDriver.ids(claim(on, "mail.*"))).containsExactly("normal", "low");
    }

    @Test
    default void neither_events_set_aside_nor_new_events_starve() {
        StoreDriver on = open();
        publishMany(on, "mail.sent", 200);
        claim(on, "order.*");
        on.pass(Duration.ofSeconds(1));
        List<Event> fresh = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            fresh.add(named(on, "fresh" + i, "chat.said").build());
        }
        on.publish(fresh);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            claim(on, Lane.DOMAIN, 1, filter("mail.*", "chat.*"))
                    .forEach(claim -> names.add(claim.event().name()));
        }
        assertThat(names).hasSize(300);
        // Oldest first, or in turns: never the new events alone while old events wait.
        assertThat(names.subList(0, 100)).contains("mail.sent");
        assertThat(names.subList(0, 201)).contains("chat.said");
    }

    @Test
    default void the_order_of_a_key_holds_across_names_and_claimers() {
        StoreDriver on = open();
        on.publish(
                named(on, "first", "order.paid").orderingKey("k"),
                named(on, "second", "mail.sent").orderingKey("k"),
                named(on, "third", "order.paid").orderingKey("k"));
        assertThat(claim(on, "mail.*")).isEmpty();
        Claim first = claim(on, "order.*").get(0);
        assertThat(first.event().id()).isEqualTo("first");
        assertThat(claim(on, "mail.*")).isEmpty();
        on.done(first);
        assertThat(claim(on, "order.*")).isEmpty();
        Claim second = claim(on, "mail.*").get(0);
        assertThat(second.event().id()).isEqualTo("second");
        assertThat(claim(on, "order.*")).isEmpty();
        on.done(second);
        assertThat(StoreDriver.ids(claim(on, "order.*"))).containsExactly("third");
    }

    @Test
    default void an_event_that_was_set_aside_blocks_later_events_of_its_key() {
        StoreDriver on = open();
        on.publish(named(on, "first", "mail.sent").orderingKey("k"));
        claim(on, "order.*");
        on.publish(named(on, "second", "order.paid").orderingKey("k"));
        assertThat(claim(on, "order.*")).isEmpty();
        on.done(claim(on, "mail.*").get(0));
        assertThat(StoreDriver.ids(claim(on, "order.*"))).containsExactly("second");
    }

    @Test
    default void a_retried_released_or_snoozed_event_is_found_again_wherever_it_came_from() {
        StoreDriver on = open();
        on.publish(named(on, "a", "mail.sent"), named(on, "b", "mail.sent"), named(on, "c", "mail.sent"));
        claim(on, "order.*");
        List<Claim> claims = claim(on, "mail.*");
        on.settle(
                on.retryOf(claims.get(0), Duration.ofSeconds(1)),
                new Settlement.Release(claims.get(1)),
                new Settlement.Snooze(claims.get(2), on.time().now().plusSeconds(1)));
        on.pass(Duration.ofSeconds(2));
        assertThat(claim(on, "order.*")).isEmpty();
        assertThat(StoreDriver.ids(claim(on, "mail.*"))).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    default void an_event_of_a_crashed_claimer_is_recovered_and_set_aside_again() {
        StoreDriver on = open();
        on.publish(named(on, "a", "mail.sent"));
        claim(on, "order.*");
        assertThat(claim(on, "mail.*")).hasSize(1);
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        assertThat(on.store().recover(on.time().now())).isEqualTo(1);
        assertThat(everywhere(on, filter("order.*"))).isEmpty();
        List<Claim> again = everywhere(on, filter("mail.*"));
        assertThat(StoreDriver.ids(again)).containsExactly("a");
        assertThat(again.get(0).attempts().crashed()).isEqualTo(1);
    }

    @Test
    default void a_redriven_letter_is_set_aside_like_any_event() {
        StoreDriver on = open();
        on.letter(named(on, "a", "mail.sent"));
        on.redrive(LetterFilter.ALL);
        assertThat(claim(on, "order.*")).isEmpty();
        Claim again = claim(on, "mail.*").get(0);
        assertThat(again.redrives()).isEqualTo(1);
        on.done(again);
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void events_that_are_set_aside_survive_a_crash_and_count_as_ready() {
        StoreDriver on = open();
        on.publish(named(on, "a", "mail.sent"), named(on, "b", "order.paid"));
        on.pass(Duration.ofSeconds(5));
        claim(on, "order.*");
        StoreDriver after = on.on(reopened(on));
        StoreStats stats = after.stats();
        assertThat(stats.ready()).isEqualTo(1);
        assertThat(stats.delayed()).isZero();
        assertThat(stats.oldestReady()).isEqualTo(Duration.ofSeconds(5));
        assertThat(stats.waiting()).isEqualTo(new StoreStats.Waiting(0, 1, Duration.ofSeconds(5), 0, 0));
        assertThat(StoreDriver.ids(claim(after, "mail.*"))).containsExactly("a");
    }

    @Test
    default void the_names_that_are_set_aside_are_told_with_the_age_of_the_oldest() {
        StoreDriver on = open();
        assertThat(on.store().setAside(10, on.time().now())).isEmpty();
        on.publish(named(on, "a", "mail.sent").priority(Priority.LOW));
        on.pass(Duration.ofSeconds(3));
        on.publish(
                named(on, "b", "mail.sent"),
                named(on, "c", "chat.said"),
                named(on, "d", "order.paid"),
                named(on, "later", "late.event").delay(Duration.ofHours(1)));
        claim(on, "order.*");
        on.pass(Duration.ofSeconds(4));
        assertThat(on.store().setAside(10, on.time().now()))
                .containsExactly(
                        new SetAside("chat.said", Duration.ofSeconds(4)),
                        new SetAside("mail.sent", Duration.ofSeconds(7)));
        assertThat(on.store().setAside(1, on.time().now()))
                .extracting(SetAside::name)
                .containsExactly("chat.said");
        claim(on, "mail.*").forEach(on::done);
        assertThat(on.store().setAside(10, on.time().now()))
                .extracting(SetAside::name)
                .containsExactly("chat.said");
    }

    @Test
    default void a_claim_may_be_restricted_to_events_that_have_been_due_for_long() {
        StoreDriver on = open();
        on.publish(named(on, "old", "mail.sent"));
        on.pass(Duration.ofSeconds(10));
        on.publish(named(on, "young", "mail.sent"));
        claim(on, "order.*");
        ClaimFilter old = filter("mail.*").waitedFor(Duration.ofSeconds(10));
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 10, old))).containsExactly("old");
        assertThat(claim(on, Lane.DOMAIN, 10, old)).isEmpty();
        on.pass(Duration.ofSeconds(10));
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 10, old))).containsExactly("young");
    }

    @Test
    default void two_claimers_with_different_names_share_a_store_and_nothing_else() {
        StoreDriver on = open();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            events.add(
                    named(on, "e" + i, i % 2 == 0 ? "mail.sent" : "order.paid").build());
        }
        on.publish(events);
        List<List<Claim>> claimed = Together.run(2, thread -> {
            StoreDriver mine = on.on(joined(on));
            List<Claim> all = new ArrayList<>();
            int idle = 0;
            while (all.size() < 500 && idle < 1_000) {
                List<Claim> some = claim(mine, Lane.DOMAIN, 7, filter(thread == 0 ? "mail.*" : "order.*"));
                idle = some.isEmpty() ? idle + 1 : 0;
                all.addAll(some);
            }
            return all;
        });
        for (List<Claim> own : claimed) {
            assertThat(own.stream().map(claim -> claim.event().name()).distinct())
                    .hasSize(1);
            assertThat(StoreDriver.ids(own)).hasSize(500).doesNotHaveDuplicates();
        }
    }

    @Test
    default void one_request_that_sets_events_aside_takes_each_of_its_own_once() {
        StoreDriver on = open();
        for (int i = 0; i < 20; i++) {
            on.publish(named(on, "e" + i, i % 2 == 0 ? "mail.sent" : "order.paid"));
        }
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 3, filter("order.*"))))
                .containsExactly("e1", "e3", "e5");
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 3, filter("*"))))
                .hasSize(3)
                .doesNotHaveDuplicates();
        assertThat(claim(on, "*")).hasSize(14);
    }

    private static Event.Builder named(StoreDriver on, String id, String name) {
        return Event.named(name).id(id).source("shop").time(on.time());
    }

    private static void publishMany(StoreDriver on, String name, int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(named(on, name + i, name).build());
        }
        on.publish(events);
    }

    private static ClaimFilter filter(String... patterns) {
        return ClaimFilter.of(Arrays.stream(patterns).map(NamePattern::new).toList());
    }

    private static ClaimRequest request(StoreDriver on, Lane lane, int demand, ClaimFilter filter) {
        return new ClaimRequest(
                StoreDriver.NODE,
                lane,
                demand,
                false,
                StoreDriver.LEASE,
                on.time().now(),
                filter);
    }

    private static List<Claim> claim(StoreDriver on, Lane lane, int demand, ClaimFilter filter) {
        return on.store().claim(request(on, lane, demand, filter));
    }

    private static List<Claim> claim(StoreDriver on, String... patterns) {
        return claim(on, Lane.DOMAIN, StoreDriver.MANY, filter(patterns));
    }

    private static List<Claim> everywhere(StoreDriver on, ClaimFilter filter) {
        List<Claim> claims = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            claims.addAll(claim(on, lane, StoreDriver.MANY, filter));
        }
        return claims;
    }
}
