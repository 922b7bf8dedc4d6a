package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.ActionFilter;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Editing, purging, exporting and importing dead letters, and the record of operator actions. */
interface LetterCareContract extends StoreUnderTest {

    @Test
    default void an_edit_replaces_the_payload_and_keeps_the_first_original() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one").header("h", "v"));
        assertThat(edit(on, letter, "two")).isTrue();
        assertThat(edit(on, letter, "three")).isTrue();
        DeadLetter edited = on.letters().find(letter.id()).orElseThrow();
        assertThat(edited.event().text()).isEqualTo("three");
        assertThat(edited.originalPayload()).hasValue(bytes("one"));
        assertThat(edited.event())
                .isEqualTo(letter.event().toBuilder().text("three").build());
        assertThat(edited.history()).isEqualTo(letter.history());
        assertThat(on.all().get(0).event().text()).isEqualTo("three");
    }

    @Test
    default void an_edited_letter_is_redriven_with_its_new_payload_and_remembers_the_original() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        edit(on, letter, "two");
        on.redrive(ALL);
        var claim = on.claimOne();
        assertThat(claim.event().text()).isEqualTo("two");
        on.dead(claim);
        DeadLetter again = on.all().get(0);
        assertThat(again.originalPayload()).hasValue(bytes("one"));
        edit(on, again, "three");
        assertThat(on.letters().find(again.id()).orElseThrow().originalPayload())
                .hasValue(bytes("one"));
    }

    @Test
    default void editing_no_letter_says_so_and_is_no_action() {
        StoreDriver on = open();
        assertThat(on.letters().edit(17, bytes("x"), "ann", on.time().now())).isFalse();
        assertThat(on.letters().actions(10)).isEmpty();
    }

    @Test
    default void an_edit_above_the_payload_limit_is_refused() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        byte[] tooLarge = new byte[EventStore.DEFAULT_MAX_PAYLOAD + 1];
        assertThatThrownBy(() -> on.letters()
                        .edit(letter.id(), tooLarge, "ann", on.time().now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload")
                .hasMessageContaining("1048577");
        assertThat(on.letters().find(letter.id()).orElseThrow().event().text()).isEqualTo("one");
    }

    @Test
    default void a_purge_deletes_selected_letters_up_to_its_limit_oldest_first() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        DeadLetter b = on.letter(on.event("b"));
        on.letter(on.event("c"));
        assertThat(on.letters().purge(only(b), 10, "ann", on.time().now())).isEqualTo(1);
        assertThat(StoreDriver.idsOf(on.all())).containsExactly("a", "c");
        assertThat(on.letters().purge(ALL, 1, "ann", on.time().now())).isEqualTo(1);
        assertThat(StoreDriver.idsOf(on.all())).containsExactly("c");
        assertThat(on.stats().dead()).isEqualTo(1);
    }

    @Test
    default void the_id_of_a_purged_letter_is_not_given_again() {
        StoreDriver on = open();
        DeadLetter last = on.letter(on.event("a"));
        on.letters().purge(ALL, 10, "ann", on.time().now());
        assertThat(on.letter(on.event("b")).id()).isGreaterThan(last.id());
    }

    @Test
    default void letters_move_to_another_store_whole() {
        StoreDriver from = open();
        DeadLetter a = from.letter(from.event("a").correlationId("c-1").text("one"));
        edit(from, a, "two");
        from.redrive(only(from.letter(from.event("b"))));
        from.dead(from.claimOne());
        List<DeadLetter> exported = export(from);

        StoreDriver to = open();
        to.pass(Duration.ofHours(2));
        assertThat(to.letters().importLetters(exported, "ann", to.time().now())).isEqualTo(2);
        List<DeadLetter> imported = export(to);
        assertThat(imported).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThat(imported.get(i))
                    .usingRecursiveComparison()
                    .ignoringFields("id")
                    .isEqualTo(exported.get(i));
        }
        assertThat(to.redrive(ALL)).isEqualTo(2);
        assertThat(to.claim()).extracting(claim -> claim.event().text()).containsExactly("two", "");
    }

    @Test
    default void importing_twice_equals_once() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        on.letter(on.event("a").correlationId("c-1"));
        List<DeadLetter> exported = export(on);
        assertThat(on.letters().importLetters(exported, "ann", on.time().now())).isZero();
        on.letters().purge(only(exported.get(1)), 1, "ann", on.time().now());
        assertThat(on.letters().importLetters(exported, "ann", on.time().now())).isEqualTo(1);
        assertThat(on.letters().importLetters(exported, "ann", on.time().now())).isZero();
        assertThat(on.all()).hasSize(2);
    }

    @Test
    default void imports_of_the_same_letters_at_once_take_each_letter_once() {
        StoreDriver from = open();
        from.publishMany(40);
        from.settleAll(from::deadOf);
        List<DeadLetter> exported = export(from);
        StoreDriver to = open();
        List<Integer> taken = Together.run(
                4,
                thread -> to.on(joined(to))
                        .letters()
                        .importLetters(exported, "ann", to.time().now()));
        assertThat(taken.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
        assertThat(to.all()).hasSize(40);
    }

    @Test
    default void the_same_letter_twice_in_one_import_is_taken_once() {
        StoreDriver from = open();
        from.letter(from.event("a"));
        DeadLetter letter = export(from).get(0);
        StoreDriver to = open();
        assertThat(to.letters()
                        .importLetters(List.of(letter, letter), "ann", to.time().now()))
                .isEqualTo(1);
        assertThat(to.all()).hasSize(1);
    }

    @Test
    default void every_action_of_an_operator_is_recorded_newest_first() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a"));
        on.letter(on.event("b"));
        List<DeadLetter> exported = export(on);
        edit(on, a, "mended");
        on.pass(Duration.ofSeconds(1));
        on.redrive(only(a));
        on.pass(Duration.ofSeconds(1));
        on.letters().purge(ALL, 10, "bob", on.time().now());
        on.pass(Duration.ofSeconds(1));
        on.letters().importLetters(exported, "carol", on.time().now());
        on.letters()
                .record(
                        OperatorCommand.by("dave"),
                        "canary",
                        "halted",
                        on.time().now());

        List<OperatorAction> actions = on.letters().actions(10);
        assertThat(actions)
                .extracting(OperatorAction::action)
                .containsExactly("canary", "import", "purge", "redrive", "edit");
        assertThat(actions).extracting(OperatorAction::operator).containsExactly("dave", "carol", "bob", "ann", "ann");
        assertThat(actions).extracting(OperatorAction::letters).containsExactly(0L, 2L, 1L, 1L, 1L);
        assertThat(actions).extracting(OperatorAction::at).isSortedAccordingTo((x, y) -> y.compareTo(x));
        assertThat(actions.get(0).outcome()).isEqualTo("halted");
        assertThat(actions)
                .extracting(row -> row.command().about())
                .contains("all letters", "payload of letter " + a.id());
        assertThat(on.letters().actions(2)).isEqualTo(actions.subList(0, 2));
        assertThat(on.on(reopened(on)).letters().actions(10)).isEqualTo(actions);
    }

    @Test
    default void a_command_of_many_calls_is_one_row_with_its_causes() {
        StoreDriver on = open();
        for (int i = 0; i < 3; i++) {
            on.letter(on.event("slow" + i), Reason.TIMEOUT, "TimeoutException", "took 31 s");
        }
        DeadLetter broken = on.letter(on.event("bad"), Reason.NOT_RETRYABLE, "SQLException", "no row");
        String slow = on.all().get(0).fingerprint();
        OperatorCommand purge = new OperatorCommand("purge-1", "ann", "cli, ann@desk", "");
        Instant begun = on.time().now();
        on.letters().purge(ALL, 2, purge, on.time().now());
        on.pass(Duration.ofSeconds(5));
        on.letters().purge(ALL, 2, purge, on.time().now());
        on.letters().purge(ALL, 2, purge, on.time().now());
        on.letters().record(purge, "purge", "finished", on.time().now());

        OperatorAction row = on.letters().actions(10).get(0);
        assertThat(on.letters().actions(10)).hasSize(1);
        assertThat(row.command()).isEqualTo(purge.about("all letters"));
        assertThat(row.letters()).isEqualTo(4);
        assertThat(row.causes()).containsExactly(Map.entry(slow, 3L), Map.entry(broken.fingerprint(), 1L));
        assertThat(row.at()).isEqualTo(begun);
        assertThat(row.updated()).isEqualTo(begun.plusSeconds(5));
        assertThat(row.detail()).isEqualTo("all letters; finished");
        assertThat(on.on(reopened(on)).letters().actions(10)).containsExactly(row);
    }

    @Test
    default void a_call_that_changed_no_letter_leaves_no_row() {
        StoreDriver on = open();
        on.redrive(ALL);
        on.letters().purge(ALL, 10, "ann", on.time().now());
        on.letters().importLetters(List.of(), "ann", on.time().now());
        assertThat(on.letters().actions(10)).isEmpty();
    }

    @Test
    default void a_row_names_the_largest_causes_and_counts_all_letters() {
        StoreDriver on = open();
        int causes = OperatorAction.MAX_CAUSES + 3;
        for (int i = 0; i < causes; i++) {
            on.letter(on.event("e" + i), Reason.TIMEOUT, "Error" + "x".repeat(i), "said");
        }
        on.letters().purge(ALL, 1_000, "ann", on.time().now());
        OperatorAction row = on.letters().actions(1).get(0);
        assertThat(row.letters()).isEqualTo(causes);
        assertThat(row.causes()).hasSize(OperatorAction.MAX_CAUSES);
    }

    @Test
    default void actions_are_filtered_by_operator_action_and_time() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a"));
        on.letter(on.event("b"));
        Instant first = on.time().now();
        edit(on, a, "mended");
        on.pass(Duration.ofMinutes(1));
        on.redrive(only(a));
        on.pass(Duration.ofMinutes(1));
        on.letters().purge(ALL, 10, "bob", on.time().now());

        assertThat(found(on, ActionFilter.ALL)).containsExactly("purge", "redrive", "edit");
        assertThat(found(on, ActionFilter.ALL.withOperator("ann"))).containsExactly("redrive", "edit");
        assertThat(found(on, ActionFilter.ALL.withAction("purge"))).containsExactly("purge");
        assertThat(found(on, ActionFilter.ALL.withTime(first.plusSeconds(60), null)))
                .containsExactly("purge", "redrive");
        assertThat(found(on, ActionFilter.ALL.withTime(first, first.plusSeconds(60))))
                .containsExactly("edit");
        assertThat(found(on, ActionFilter.ALL.withOperator("bob").withAction("edit")))
                .isEmpty();
        assertThat(on.letters().actions(ActionFilter.ALL.withOperator("ann"), 1))
                .extracting(OperatorAction::action)
                .containsExactly("redrive");
        String newest = on.letters().actions(1).get(0).command().id();
        assertThat(found(on, ActionFilter.ALL.withAfter(newest))).containsExactly("redrive", "edit");
        assertThat(found(on, ActionFilter.ALL.withAfter(newest).withAction("edit")))
                .containsExactly("edit");
        assertThat(found(on, ActionFilter.ALL.withAfter("unknown"))).isEmpty();
    }

    private static List<String> found(StoreDriver on, ActionFilter filter) {
        return on.letters().actions(filter, 10).stream()
                .map(OperatorAction::action)
                .toList();
    }

    @Test
    default void an_action_needs_a_name_behind_it() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a"));
        assertThatThrownBy(() -> on.letters()
                        .edit(letter.id(), bytes("x"), " ", on.time().now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("operator");
        assertThatThrownBy(() -> on.letters().purge(ALL, 1, "", on.time().now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("operator");
        assertThat(on.all()).hasSize(1);
    }

    /** The letters of an export, each with its history. */
    private static List<DeadLetter> export(StoreDriver on) {
        List<DeadLetter> exported = new ArrayList<>();
        for (DeadLetter letter : on.all()) {
            exported.add(on.letters().find(letter.id()).orElseThrow());
        }
        return exported;
    }

    private static LetterFilter only(DeadLetter letter) {
        return LetterFilter.ofIds(List.of(letter.id()));
    }

    private static boolean edit(StoreDriver on, DeadLetter letter, String text) {
        return on.letters().edit(letter.id(), bytes(text), "ann", on.time().now());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
