package io.redrive.testkit;

import static io.redrive.testkit.CauseContract.ANN;
import static io.redrive.testkit.CauseContract.causes;
import static io.redrive.testkit.CauseContract.change;
import static io.redrive.testkit.CauseContract.die;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.DeadLetter;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CausePlace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists of causes: the cause with the latest letter first, read page by page. */
interface CauseListContract extends StoreUnderTest {

    @Test
    default void a_list_of_causes_goes_on_behind_a_place_although_letters_arrive() {
        StoreDriver on = open();
        for (String fingerprint : List.of("b", "c", "a")) {
            die(on, "order.paid", fingerprint, "");
        }
        on.pass(Duration.ofMinutes(1));
        die(on, "order.paid", "d_1", "");
        List<Cause> page = causes(on).latest(2);
        assertThat(page).extracting(Cause::fingerprint).startsWith("d_1");
        CausePlace last = CausePlace.parse(CausePlace.of(page.get(1)).text());
        on.pass(Duration.ofMinutes(1));
        die(on, "order.paid", page.get(1).fingerprint(), "");
        List<Cause> rest = causes(on).latest(last, 10);
        assertThat(rest)
                .hasSize(2)
                .doesNotContainAnyElementsOf(page)
                .extracting(Cause::fingerprint)
                .isSorted();
        assertThat(causes(on).latest(CausePlace.of(rest.get(1)), 10)).isEmpty();
    }

    @Test
    default void the_list_of_causes_goes_on_behind_any_cause() {
        StoreDriver on = open();
        for (String cause : List.of("e", "c", "d")) {
            die(on, "order.paid", cause, "");
        }
        for (String cause : List.of("b", "a", "c")) {
            on.pass(Duration.ofHours(30));
            die(on, "order.sent", cause, "");
        }
        List<Cause> all = causes(on).latest(10);
        assertThat(all).extracting(Cause::fingerprint).containsExactly("c", "a", "b", "d", "e");
        for (int i = 0; i < all.size(); i++) {
            Cause behind = all.get(i);
            assertThat(causes(on).latest(CausePlace.of(behind), 10))
                    .as("behind " + behind.fingerprint())
                    .isEqualTo(all.subList(i + 1, all.size()));
        }
        assertThat(causes(on).latest(CausePlace.of(all.get(0)), 2)).isEqualTo(all.subList(1, 3));
        causes(on).merge("b", "a", 10, ANN, on.time().now());
        assertThat(causes(on).latest(CausePlace.of(all.get(0)), 10))
                .extracting(Cause::fingerprint)
                .containsExactly("a", "d", "e");
    }

    @Test
    default void causes_with_an_owner_are_listed() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "");
        die(on, "order.paid", "other", "");
        assertThat(causes(on).assigned()).isEmpty();
        change(on, "io", new CauseChange.Assign("ann"));
        assertThat(causes(on).assigned()).extracting(Cause::fingerprint).containsExactly("io");
        change(on, "io", new CauseChange.Assign(""));
        assertThat(causes(on).assigned()).isEmpty();
    }

    @Test
    default void causes_come_with_the_latest_letter_first() {
        StoreDriver on = open();
        for (String cause : List.of("a", "b", "c", "a")) {
            on.pass(Duration.ofSeconds(1));
            die(on, "order.paid", cause, "");
        }
        assertThat(causes(on).latest(2)).extracting(Cause::fingerprint).containsExactly("a", "c");
        assertThat(causes(on).decided()).isEmpty();
    }

    @Test
    default void causes_of_earlier_days_and_imported_causes_come_in_the_order_of_their_time() {
        StoreDriver other = open();
        other.pass(Duration.ofHours(30));
        DeadLetter imported = die(other, "order.paid", "imported", "");
        StoreDriver on = open();
        for (String cause : List.of("a", "b", "c")) {
            on.pass(Duration.ofSeconds(1));
            die(on, "order.paid", cause, "");
        }
        on.letters().importLetters(List.of(imported), "ann", on.time().now());
        on.pass(Duration.ofDays(2));
        die(on, "order.paid", "d", "");
        die(on, "order.sent", "b", "");
        on.pass(Duration.ofDays(3));
        die(on, "order.paid", "a", "");
        List<String> order = List.of("a", "b", "d", "imported", "c");
        for (int limit = 1; limit <= 6; limit++) {
            assertThat(causes(on).latest(limit))
                    .extracting(Cause::fingerprint)
                    .containsExactlyElementsOf(order.subList(0, Math.min(limit, order.size())));
        }
        causes(on).merge("d", "imported", 10, ANN, on.time().now());
        assertThat(causes(on).latest(4)).extracting(Cause::fingerprint).containsExactly("a", "b", "imported", "c");
    }
}
