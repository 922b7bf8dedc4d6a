package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.PayloadSearch;
import io.redrive.events.RedriveRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading dead letters: list, page, filter, count, group, find. */
interface LetterSearchContract extends StoreUnderTest {

    @Test
    default void letters_are_listed_by_id_without_history_and_found_with_it() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a").text("hello"));
        DeadLetter b = on.letter(on.event("b"));
        List<DeadLetter> listed = on.all();
        assertThat(listed)
                .extracting(DeadLetter::id)
                .containsExactly(a.id(), b.id())
                .isSorted();
        assertThat(listed).allSatisfy(letter -> assertThat(letter.history()).isEmpty());
        assertThat(listed.get(0).event()).isEqualTo(a.event());
        assertThat(on.letters().find(a.id()).orElseThrow().history()).hasSize(1);
        assertThat(on.letters().find(b.id() + 1_000)).isEmpty();
    }

    @Test
    default void a_letter_keeps_every_part_of_its_event() {
        StoreDriver on = open();
        Event event = on.event("a")
                .correlationId("order-17")
                .orderingKey("customer-4")
                .payload(new byte[] {0, -1, 10}, "application/x-odd")
                .header("trace", "00-abc")
                .deadline(on.time().now().plusSeconds(90))
                .build();
        assertThat(on.letter(event.toBuilder()).event()).isEqualTo(event);
        assertThat(on.all().get(0).event()).isEqualTo(event);
    }

    @Test
    default void pages_follow_one_another_without_gap_or_overlap() {
        StoreDriver on = open();
        for (int i = 0; i < 7; i++) {
            on.letter(on.event("e" + i));
        }
        List<String> seen = new ArrayList<>();
        long last = 0;
        for (List<DeadLetter> page = on.letters().list(ALL, last, 3);
                !page.isEmpty();
                page = on.letters().list(ALL, last, 3)) {
            assertThat(page).hasSizeLessThanOrEqualTo(3);
            seen.addAll(StoreDriver.idsOf(page));
            last = page.get(page.size() - 1).id();
        }
        assertThat(seen).containsExactly("e0", "e1", "e2", "e3", "e4", "e5", "e6");
    }

    @Test
    default void the_newest_letters_come_first_and_their_pages_follow_without_gap_or_overlap() {
        StoreDriver on = open();
        for (int i = 0; i < 7; i++) {
            on.letter(on.event("e" + i));
        }
        List<String> seen = new ArrayList<>();
        long last = Long.MAX_VALUE;
        for (List<DeadLetter> page = on.letters().newest(ALL, last, 3);
                !page.isEmpty();
                page = on.letters().newest(ALL, last, 3)) {
            assertThat(page).hasSizeLessThanOrEqualTo(3);
            assertThat(page).allSatisfy(letter -> assertThat(letter.history()).isEmpty());
            seen.addAll(StoreDriver.idsOf(page));
            last = page.get(page.size() - 1).id();
            // A letter that dies between two pages belongs before the first page: later pages do not move.
            on.letter(on.event("late" + seen.size()));
        }
        assertThat(seen).containsExactly("e6", "e5", "e4", "e3", "e2", "e1", "e0");
    }

    @Test
    default void a_page_with_history_has_the_history_of_each_letter() {
        StoreDriver on = open();
        for (int i = 0; i < 5; i++) {
            on.letter(on.event("e" + i), Reason.TIMEOUT, "TimeoutException", "took " + i + " s");
        }
        on.redrive(LetterFilter.ofIds(List.of(on.all().get(1).id())));
        on.dead(on.claimOne());
        List<DeadLetter> pages = new ArrayList<>(on.letters().listWithHistory(ALL, 0, 3));
        pages.addAll(on.letters().listWithHistory(ALL, pages.get(2).id(), 3));
        assertThat(pages).hasSize(5);
        assertThat(pages)
                .allSatisfy(letter -> assertThat(letter)
                        .usingRecursiveComparison()
                        .isEqualTo(on.letters().find(letter.id()).orElseThrow()));
        assertThat(pages.get(4).history()).hasSize(2);
    }

    @Test
    default void each_field_of_a_filter_selects() {
        StoreDriver on = open();
        Instant start = on.time().now();
        DeadLetter timeout =
                on.letter(on.event("a").correlationId("Order-17"), Reason.TIMEOUT, "TimeoutException", "took 31 s");
        on.pass(Duration.ofMinutes(1));
        DeadLetter broken = on.letter(
                Event.named("ml.run.started").id("B_2").source("lab").time(on.time()),
                Reason.NOT_RETRYABLE,
                "SQLException",
                "no such 100% Table");

        assertSelects(on, ALL, "a", "B_2");
        assertSelects(on, LetterFilter.ofIds(List.of(broken.id(), 999_999L)), "B_2");
        assertSelects(on, ALL.withName("order.paid"), "a");
        assertSelects(on, ALL.withName("ml.*"), "B_2");
        assertSelects(on, ALL.withName("ml.run.*"), "B_2");
        assertSelects(on, ALL.withName("ml.ru.*"));
        assertSelects(on, ALL.withName("ml.run"));
        assertSelects(on, ALL.withName("*"), "a", "B_2");
        assertSelects(on, ALL.withReason(Reason.TIMEOUT), "a");
        assertSelects(on, ALL.withErrorType("SQLException"), "B_2");
        assertSelects(on, ALL.withFingerprint(timeout.fingerprint()), "a");
        assertSelects(on, ALL.withTime(start, start.plusSeconds(60)), "a");
        assertSelects(on, ALL.withTime(start.plusSeconds(60), null), "B_2");
        assertSelects(on, ALL.withTime(null, start));
        assertSelects(on, ALL.withFewerAutomaticRedrivesThan(1), "a", "B_2");
        assertSelects(on, ALL.withFewerAutomaticRedrivesThan(0));
        assertSelects(on, ALL.withName("ml.*").withReason(Reason.TIMEOUT));
    }

    @Test
    default void text_is_found_in_error_ids_and_headers_ignoring_case_and_taken_literally() {
        StoreDriver on = open();
        on.letter(on.event("a").correlationId("Order-17"), Reason.TIMEOUT, "TimeoutException", "took 31 s");
        on.letter(
                on.event("B_2").header("idempotency_key", "Chunking-Abc-9"),
                Reason.NOT_RETRYABLE,
                "SQLException",
                "no such 100% Table");
        assertSelects(on, ALL.withText("TABLE"), "B_2");
        assertSelects(on, ALL.withText("chunking-abc-9"), "B_2");
        assertSelects(on, ALL.withText("order-17"), "a");
        assertSelects(on, ALL.withText("b_2"), "B_2");
        assertSelects(on, ALL.withText("100%"), "B_2");
        assertSelects(on, ALL.withText("1%"));
        assertSelects(on, ALL.withText("k_31"));
        assertSelects(on, ALL.withText("nowhere"));
    }

    @Test
    default void text_is_found_in_the_beginning_of_payloads_that_are_no_binary() {
        StoreDriver on = open();
        on.letter(on.event("json").json("{\"customer\":\"M\u00fcller & 100% S\u00f6hne_\"}"));
        on.letter(on.event("odd").payload(new byte[] {(byte) 0xff, 'O', 'd', 'D', (byte) 0xfe}, "application/x-odd"));
        on.letter(on.event("binary").payload(new byte[] {'m', 'a', 'r', 'k', 0, 1}, "application/octet-stream"));
        String filling = "x".repeat(PayloadSearch.MAX_BYTES - 6);
        on.letter(on.event("long").text(filling + "inside" + "outside"));
        assertSelects(on, ALL.withText("CUSTOMER"), "json");
        assertSelects(on, ALL.withText("m\u00fcller"), "json");
        assertSelects(on, ALL.withText("100% s\u00f6hne_"), "json");
        assertSelects(on, ALL.withText("odd"), "odd");
        assertSelects(on, ALL.withText("mark"));
        assertSelects(on, ALL.withText("inside"), "long");
        assertSelects(on, ALL.withText("outside"));
    }

    @Test
    default void letters_of_an_event_are_found_by_its_id() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        on.letter(on.event("a").correlationId("c"));
        on.letter(on.event("ab"));
        assertSelects(on, ALL.withEventId("a"), "a", "a");
        assertSelects(on, ALL.withEventId("A"));
    }

    @Test
    default void a_name_with_an_underscore_is_no_wildcard() {
        StoreDriver on = open();
        on.letter(Event.named("a_b.c").id("under").source("s").time(on.time()));
        on.letter(Event.named("axb.c").id("x").source("s").time(on.time()));
        assertSelects(on, ALL.withName("a_b.*"), "under");
    }

    @Test
    default void automatic_redrives_are_told_apart_by_the_filter() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        on.letters()
                .redrive(new RedriveRequest(
                        ALL, 10, "auto", "redrive", true, on.time().now()));
        on.dead(on.claimOne());
        assertSelects(on, ALL.withFewerAutomaticRedrivesThan(1));
        assertSelects(on, ALL.withFewerAutomaticRedrivesThan(2), "a");
    }

    @Test
    default void groups_count_letters_of_one_cause_largest_first() {
        StoreDriver on = open();
        Instant start = on.time().now();
        on.letter(on.event("a"), Reason.TIMEOUT, "TimeoutException", "took 31 s");
        on.pass(Duration.ofMinutes(1));
        on.letter(on.event("b"), Reason.NOT_RETRYABLE, "SQLException", "no row 17");
        on.pass(Duration.ofMinutes(1));
        on.letter(
                Event.named("ml.run.started").id("c").source("lab").time(on.time()),
                Reason.NOT_RETRYABLE,
                "SQLException",
                "no row 18");

        List<LetterGroup> groups = on.letters().groups(ALL, 10);
        assertThat(groups).hasSize(2);
        LetterGroup largest = groups.get(0);
        assertThat(largest.fingerprint()).isEqualTo(Fingerprint.of("SQLException", "no row 99"));
        assertThat(largest.errorType()).isEqualTo("SQLException");
        assertThat(largest.example()).isIn("no row 17", "no row 18");
        assertThat(largest.count()).isEqualTo(2);
        assertThat(largest.names()).containsExactlyInAnyOrder("order.paid", "ml.run.started");
        assertThat(largest.firstDead()).isEqualTo(start.plusSeconds(60));
        assertThat(largest.lastDead()).isEqualTo(start.plusSeconds(120));
        assertThat(on.letters().groups(ALL, 1)).containsExactly(largest);
        assertThat(on.letters().groups(ALL.withReason(Reason.TIMEOUT), 10))
                .extracting(LetterGroup::count)
                .containsExactly(1L);
    }

    @Test
    default void a_group_names_only_events_that_the_filter_lets_through() {
        StoreDriver on = open();
        on.letter(Event.named("order.paid").id("a").source("shop").time(on.time()), Reason.TIMEOUT, "E", "gone");
        on.letter(Event.named("order.sent").id("b").source("shop").time(on.time()), Reason.POISON, "E", "gone");
        assertThat(on.letters().groups(ALL, 10))
                .singleElement()
                .satisfies(group -> assertThat(group.names()).containsExactly("order.paid", "order.sent"));
        assertThat(on.letters().groups(ALL.withReason(Reason.POISON), 10))
                .singleElement()
                .satisfies(group -> assertThat(group.names()).containsExactly("order.sent"));
    }

    @Test
    default void a_group_names_at_most_ten_event_names() {
        StoreDriver on = open();
        for (int i = 0; i < 12; i++) {
            on.letter(Event.named("name.n" + i).source("s").time(on.time()));
        }
        assertThat(on.letters().groups(ALL, 10)).singleElement().satisfies(group -> {
            assertThat(group.count()).isEqualTo(12);
            assertThat(group.names()).hasSize(10).doesNotHaveDuplicates();
        });
    }

    @Test
    default void a_page_beyond_the_limit_is_refused() {
        DeadLetters letters = open().letters();
        for (int limit : List.of(0, -1, DeadLetters.MAX_PAGE + 1)) {
            assertThatThrownBy(() -> letters.list(ALL, 0, limit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("limit")
                    .hasMessageContaining("1000")
                    .hasMessageContaining("" + limit);
            assertThatThrownBy(() -> letters.newest(ALL, 1, limit)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> letters.listWithHistory(ALL, 0, limit))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> letters.groups(ALL, limit)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> letters.actions(limit)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void assertSelects(StoreDriver on, LetterFilter filter, String... ids) {
        List<DeadLetter> listed = on.letters().list(filter, 0, 100);
        assertThat(StoreDriver.idsOf(listed)).as(filter.toString()).containsExactly(ids);
        assertThat(on.letters().count(filter)).as(filter.toString()).isEqualTo(ids.length);
        // A store filters in SQL; the filter itself defines the result in Java.
        assertThat(on.all().stream()
                        .filter(filter::matches)
                        .map(letter -> letter.event().id()))
                .as(filter.toString())
                .containsExactly(ids);
    }
}
