package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult.Adopted;
import io.redrive.events.Attempts;
import io.redrive.events.Bookmark;
import io.redrive.events.Claim;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import io.redrive.events.TakeoverRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events from a log stay in the lane of their priority, after a retry, a wait and a redrive. */
interface AdoptedLaneContract extends StoreUnderTest {

    @Test
    default void an_adopted_event_is_claimed_in_the_lane_of_its_priority() {
        StoreDriver on = open();
        Bookmark mine = on.store()
                .adoptions()
                .takeOver(
                        new TakeoverRequest("log/0", "p1", 0, false, "log/0/"),
                        on.time().now())
                .bookmark();
        List<Adoption> adoptions = new ArrayList<>();
        for (Priority priority : Priority.values()) {
            long place = 3L * priority.ordinal();
            adoptions.add(
                    new Adoption(place, on.retryOf(claim(on, priority, "retried"), Duration.ofSeconds(1)), List.of()));
            Settlement waits = new Settlement.Snooze(
                    claim(on, priority, "snoozed"), on.time().now());
            adoptions.add(new Adoption(place + 1, waits, List.of()));
            adoptions.add(new Adoption(place + 2, on.deadOf(claim(on, priority, "redriven")), List.of()));
        }
        assertThat(on.store().adoptions().adopt(mine, adoptions, on.time().now()))
                .isInstanceOfSatisfying(
                        Adopted.class,
                        adopted -> assertThat(adopted)
                                .isEqualTo(new Adopted(Set.copyOf(
                                        adoptions.stream().map(Adoption::place).toList()))));
        assertThat(on.redrive(LetterFilter.ALL)).isEqualTo(Priority.values().length);
        on.pass(Duration.ofSeconds(1));
        for (Lane lane : Lane.values()) {
            List<String> expected = new ArrayList<>();
            for (Priority priority : Priority.values()) {
                if (priority.lane() == lane) {
                    List.of("retried-", "snoozed-", "redriven-").forEach(kind -> expected.add(kind + priority));
                }
            }
            assertThat(StoreDriver.ids(on.claim(lane, StoreDriver.MANY)))
                    .as("lane " + lane)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static Claim claim(StoreDriver on, Priority priority, String kind) {
        return new Claim(
                on.event(kind + "-" + priority).priority(priority).build(),
                -1,
                -1,
                Attempts.NONE,
                on.time().now(),
                Duration.ZERO,
                0);
    }
}
