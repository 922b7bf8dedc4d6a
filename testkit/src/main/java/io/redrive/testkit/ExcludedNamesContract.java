package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.Priority;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names that a claim excludes because they are paused: their events wait, are counted, and come back in order. */
interface ExcludedNamesContract extends StoreUnderTest {

    @Test
    default void an_excluded_name_waits_although_a_pattern_accepts_it() {
        StoreDriver on = open();
        on.publish(named(on, "a", "order.paid"), named(on, "b", "order.sent"));
        ClaimFilter paused = filter("order.*").without(List.of(new NamePattern("order.paid")));
        assertThat(StoreDriver.ids(claim(on, Lane.DOMAIN, 10, paused))).containsExactly("b");
        assertThat(claim(on, Lane.DOMAIN, 10, paused)).isEmpty();
        assertThat(StoreDriver.ids(claim(on, "order.*"))).containsExactly("a");
    }

    @Test
    default void an_excluded_pattern_wins_over_an_accepted_name_and_its_events_come_back_in_order() {
        StoreDriver on = open();
        on.publish(
                named(on, "a", "order.paid").orderingKey("k"),
                named(on, "b", "mail.sent"),
                named(on, "c", "order.sent").orderingKey("k"),
                named(on, "d", "orders.paid"),
                named(on, "e", "order.paid").priority(Priority.CRITICAL));
        ClaimFilter paused = filter("*", "order.paid").without(List.of(new NamePattern("order.*")));
        assertThat(StoreDriver.ids(everywhere(on, paused))).containsExactly("b", "d");
        assertThat(everywhere(on, paused)).isEmpty();
        assertThat(StoreDriver.ids(claim(on, Lane.CRITICAL, 10, filter("order.*"))))
                .containsExactly("e");
        Claim first = claim(on, "order.*").get(0);
        assertThat(first.event().id()).isEqualTo("a");
        on.done(first);
        assertThat(StoreDriver.ids(claim(on, "order.*"))).containsExactly("c");
    }

    @Test
    default void a_filter_that_excludes_every_name_sets_all_events_aside() {
        StoreDriver on = open();
        on.publish(named(on, "a", "order.paid"), named(on, "b", "mail.sent"));
        assertThat(everywhere(on, ClaimFilter.ALL.without(List.of(new NamePattern("*")))))
                .isEmpty();
        assertThat(on.stats().waiting().setAside()).isEqualTo(2);
        assertThat(StoreDriver.ids(claim(on, "*"))).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    default void events_that_were_set_aside_are_counted_by_name_and_apart_when_paused() {
        StoreDriver on = open();
        on.publish(named(on, "a", "order.paid"), named(on, "b", "order.sent").priority(Priority.HIGH));
        on.pass(Duration.ofSeconds(2));
        on.publish(named(on, "c", "mail.sent"), named(on, "d", "orders.paid"));
        everywhere(on, filter("chat.*"));
        Set<NamePattern> paused = Set.of(new NamePattern("order.*"), new NamePattern("order.paid"));
        assertThat(on.store().countSetAside(paused)).isEqualTo(2);
        assertThat(on.store().countSetAside(Set.of(new NamePattern("mail.sent"))))
                .isEqualTo(1);
        assertThat(on.store().countSetAside(Set.of(new NamePattern("*")))).isEqualTo(4);
        assertThat(on.store().countSetAside(Set.of())).isZero();
        assertThat(on.store().stats(on.time().now(), paused).waiting())
                .isEqualTo(new StoreStats.Waiting(0, 2, Duration.ZERO, 2, 0));
        assertThat(on.store().stats(on.time().now(), Set.of())).isEqualTo(on.stats());
    }

    private static Event.Builder named(StoreDriver on, String id, String name) {
        return Event.named(name).id(id).source("shop").time(on.time());
    }

    private static ClaimFilter filter(String... patterns) {
        return ClaimFilter.of(Arrays.stream(patterns).map(NamePattern::new).toList());
    }

    private static List<Claim> claim(StoreDriver on, Lane lane, int demand, ClaimFilter filter) {
        return on.store()
                .claim(new ClaimRequest(
                        StoreDriver.NODE,
                        lane,
                        demand,
                        false,
                        StoreDriver.LEASE,
                        on.time().now(),
                        filter));
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
