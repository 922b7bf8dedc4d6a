package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult.Adopted;
import io.redrive.events.AdoptionResult.Fenced;
import io.redrive.events.Adoptions;
import io.redrive.events.Attempts;
import io.redrive.events.Bookmark;
import io.redrive.events.BookmarkedAdoptions;
import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import io.redrive.events.TakeoverRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Adoptions under several bookmarks in one call. */
interface BookmarksContract extends StoreUnderTest {

    @Test
    default void several_bookmarks_adopt_together_and_each_is_fenced_alone() {
        StoreDriver on = open();
        Adoptions adoptions = on.store().adoptions();
        Bookmark third = takeOver(on, 3);
        Bookmark last = takeOver(on, 30);
        Bookmark untaken = new Bookmark("billing/orders/1", 9);
        List<BookmarkedAdoptions> all = List.of(
                new BookmarkedAdoptions(last, List.of(parked(on, 1, "b"))),
                new BookmarkedAdoptions(untaken, List.of(parked(on, 1, "x"))),
                new BookmarkedAdoptions(third, List.of(parked(on, 1, "a"), parked(on, 2, "c"))));
        assertThat(adoptions.adoptAll(all, on.time().now()))
                .containsExactly(new Adopted(Set.of(1L)), new Fenced(0), new Adopted(Set.of(1L, 2L)));
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    default void bookmarks_that_adopt_together_settle_each_place_once() {
        StoreDriver on = open();
        Adoptions adoptions = on.store().adoptions();
        Bookmark third = takeOver(on, 3);
        Bookmark last = takeOver(on, 30);
        adoptions.adopt(third, List.of(parked(on, 1, "a")), on.time().now());
        List<BookmarkedAdoptions> all = List.of(
                new BookmarkedAdoptions(third, List.of(parked(on, 1, "again"))),
                new BookmarkedAdoptions(last, List.of(parked(on, 1, "b"))));
        assertThat(adoptions.adoptAll(all, on.time().now()))
                .containsExactly(new Adopted(Set.of()), new Adopted(Set.of(1L)));
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactlyInAnyOrder("a", "b");
    }

    private static Bookmark takeOver(StoreDriver on, int partition) {
        String log = "billing/orders/" + partition;
        return on.store()
                .adoptions()
                .takeOver(
                        new TakeoverRequest(log, "p1", 0, false, log + "/"),
                        on.time().now())
                .bookmark();
    }

    private static Adoption parked(StoreDriver on, long place, String id) {
        Claim claim =
                new Claim(on.event(id).build(), -1, -1, Attempts.NONE, on.time().now(), Duration.ZERO, 0);
        return new Adoption(place, new Settlement.Snooze(claim, on.time().now()), List.of());
    }
}
