package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import io.redrive.testkit.FaultyStore.Moment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replacing payloads with a compare, and the versions that a letter keeps. */
interface LetterVersionContract extends StoreUnderTest {

    /** An id that no letter has, also where the tests of a store share a sequence of ids. */
    long NO_LETTER = Long.MAX_VALUE;

    OperatorCommand REPAIR = new OperatorCommand("repair-1", "ann", "", "letters of order.paid");

    @Test
    default void every_replaced_payload_stays_as_a_version_with_its_command() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        edit(on, letter, "two");
        on.pass(Duration.ofSeconds(1));
        assertThat(replace(on, change(letter, "two", "three"))).containsExactly(letter.id());

        List<LetterVersion> versions = on.letters().versions(letter.id());
        assertThat(versions).extracting(LetterVersion::number).containsExactly(1, 2);
        assertThat(texts(on, letter)).containsExactly("one", "two");
        assertThat(versions).extracting(LetterVersion::action).containsExactly("edit", "repair");
        assertThat(versions).extracting(LetterVersion::operator).containsExactly("bob", "ann");
        assertThat(versions.get(1).command()).isEqualTo("repair-1");
        assertThat(versions.get(1).at()).isEqualTo(on.time().now());
        DeadLetter found = on.letters().find(letter.id()).orElseThrow();
        assertThat(found.event().text()).isEqualTo("three");
        assertThat(found.originalPayload()).hasValue(bytes("one"));
        assertThat(on.on(reopened(on)).letters().versions(letter.id()))
                .usingRecursiveComparison()
                .isEqualTo(versions);
    }

    @Test
    default void a_letter_without_a_replaced_payload_has_no_versions() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        edit(on, letter, "one");
        assertThat(on.letters().versions(letter.id())).isEmpty();
        assertThat(on.letters().versions(NO_LETTER)).isEmpty();
    }

    @Test
    default void an_empty_and_a_binary_payload_are_kept_byte_for_byte() {
        StoreDriver on = open();
        byte[] binary = {0, -1, 10, 13, 127, -128};
        DeadLetter letter = on.letter(on.event("a").payload(binary, "application/octet-stream"));
        assertThat(on.letters()
                        .replace(
                                List.of(new PayloadChange(letter.id(), binary, new byte[0])),
                                "repair",
                                REPAIR,
                                on.time().now()))
                .hasSize(1);
        assertThat(replace(on, change(letter, "", "x"))).hasSize(1);
        assertThat(on.letters().versions(letter.id()))
                .extracting(LetterVersion::payload)
                .containsExactly(binary, new byte[0]);
    }

    @Test
    default void a_letter_with_another_payload_is_skipped_and_keeps_its_versions() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a").text("one"));
        DeadLetter b = on.letter(on.event("b").text("one"));
        edit(on, b, "edited meanwhile");

        assertThat(replace(on, change(a, "one", "two"), change(b, "one", "two"), gone("one", "two")))
                .containsExactly(a.id());
        assertThat(text(on, b)).isEqualTo("edited meanwhile");
        assertThat(texts(on, b)).containsExactly("one");
        assertThat(on.letters().actions(1).get(0)).satisfies(row -> {
            assertThat(row.action()).isEqualTo("repair");
            assertThat(row.letters()).isEqualTo(1);
            assertThat(row.command()).isEqualTo(REPAIR);
        });
    }

    @Test
    default void a_call_that_replaced_nothing_leaves_no_row() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        assertThat(replace(on)).isEmpty();
        assertThat(replace(on, change(letter, "other", "two"))).isEmpty();
        assertThat(on.letters().actions(10)).isEmpty();
    }

    @Test
    default void replacing_twice_equals_once() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        assertThat(replace(on, change(letter, "one", "two"))).hasSize(1);
        assertThat(replace(on, change(letter, "one", "two"))).isEmpty();
        assertThat(texts(on, letter)).containsExactly("one");
        assertThat(on.letters().actions(10)).extracting(OperatorAction::letters).containsExactly(1L);
    }

    @Test
    default void the_oldest_versions_go_first_and_the_original_stays() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("0"));
        int edits = LetterVersion.MAX_VERSIONS + 3;
        for (int i = 1; i <= edits; i++) {
            if (i % 2 == 0) {
                edit(on, letter, "" + i);
            } else {
                replace(on, change(letter, "" + (i - 1), "" + i));
            }
        }
        List<LetterVersion> versions = on.letters().versions(letter.id());
        assertThat(versions).hasSize(LetterVersion.MAX_VERSIONS);
        assertThat(versions.get(0).number()).isEqualTo(4);
        assertThat(texts(on, letter)).startsWith("3").endsWith("" + (edits - 1));
        assertThat(on.letters().find(letter.id()).orElseThrow().originalPayload())
                .hasValue(bytes("0"));
    }

    @Test
    default void versions_go_with_a_purged_or_redriven_letter_only() {
        StoreDriver on = open();
        DeadLetter purged = on.letter(on.event("a").text("one"));
        DeadLetter redriven = on.letter(on.event("b").text("one"));
        DeadLetter stays = on.letter(on.event("c").text("one"));
        for (DeadLetter letter : List.of(purged, redriven, stays)) {
            replace(on, change(letter, "one", "two"));
        }
        on.letters().purge(only(purged), 10, "ann", on.time().now());
        on.redrive(only(redriven));
        assertThat(texts(on, purged)).isEmpty();
        assertThat(texts(on, redriven)).isEmpty();
        assertThat(texts(on, stays)).containsExactly("one");
        var claim = on.claimOne();
        assertThat(claim.event().text()).isEqualTo("two");
        on.dead(claim);
        DeadLetter again = on.all().get(1);
        assertThat(again.originalPayload()).hasValue(bytes("one"));
        assertThat(texts(on, again)).isEmpty();
    }

    @Test
    default void wrong_changes_are_refused_by_rule_and_value_and_change_nothing() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a").text("one"));
        DeadLetter other = on.letter(on.event("b").text("one"));
        String huge = "x".repeat(EventStore.DEFAULT_MAX_PAYLOAD + 1);
        assertThatThrownBy(() -> replace(on, change(letter, "one", "two"), change(other, "one", huge)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload")
                .hasMessageContaining("1048577");
        assertThatThrownBy(() -> replace(on, change(letter, "one", "two"), change(letter, "one", "three")))
                .hasMessage("changes must name each letter once, got letter " + letter.id() + " twice");
        assertThatThrownBy(() -> replace(
                        on,
                        Collections.nCopies(DeadLetters.MAX_PAGE + 1, change(letter, "one", "x"))
                                .toArray(PayloadChange[]::new)))
                .hasMessage("changes must be at most 1000, got 1001");
        assertThatThrownBy(() -> change(letter, "one", "one")).hasMessageContaining("after must differ from before");
        assertThat(text(on, letter)).isEqualTo("one");
        assertThat(texts(on, letter)).isEmpty();
    }

    @Test
    default void replacements_at_once_change_each_letter_once() {
        StoreDriver on = open();
        on.publishMany(40);
        on.settleAll(on::deadOf);
        PayloadChange[] changes =
                on.all().stream().map(letter -> change(letter, "", "new")).toArray(PayloadChange[]::new);
        List<Integer> changed =
                Together.run(4, thread -> replace(on.on(joined(on)), changes).size());
        assertThat(changed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
        on.all().forEach(letter -> assertThat(texts(on, letter)).containsExactly(""));
    }

    @Test
    default void a_replacement_whose_answer_is_lost_is_whole_and_can_be_repeated_after_a_crash() {
        for (Moment moment : Moment.values()) {
            StoreDriver on = open();
            DeadLetter a = on.letter(on.event("a").text("one"));
            DeadLetter b = on.letter(on.event("b").text("one"));
            StoreDriver faulty = on.on(FaultyStore.failing(on.store(), 1, moment));
            PayloadChange[] changes = {change(a, "one", "two"), change(b, "one", "two")};
            assertThatThrownBy(() -> replace(faulty, changes)).isInstanceOf(FaultyStore.Fault.class);

            StoreDriver after = on.on(reopened(on));
            replace(after, changes);
            for (DeadLetter letter : List.of(a, b)) {
                assertThat(text(after, letter)).isEqualTo("two");
                assertThat(texts(after, letter)).containsExactly("one");
            }
            assertThat(after.letters().actions(10))
                    .extracting(OperatorAction::letters)
                    .containsExactly(2L);
        }
    }

    private static Set<Long> replace(StoreDriver on, PayloadChange... changes) {
        return on.letters()
                .replace(List.of(changes), "repair", REPAIR, on.time().now());
    }

    private static PayloadChange change(DeadLetter letter, String before, String after) {
        return new PayloadChange(letter.id(), bytes(before), bytes(after));
    }

    private static PayloadChange gone(String before, String after) {
        return new PayloadChange(NO_LETTER, bytes(before), bytes(after));
    }

    private static void edit(StoreDriver on, DeadLetter letter, String text) {
        assertThat(on.letters().edit(letter.id(), bytes(text), "bob", on.time().now()))
                .isTrue();
    }

    private static String text(StoreDriver on, DeadLetter letter) {
        return on.letters().find(letter.id()).orElseThrow().event().text();
    }

    private static List<String> texts(StoreDriver on, DeadLetter letter) {
        return on.letters().versions(letter.id()).stream()
                .map(version -> new String(version.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    private static LetterFilter only(DeadLetter letter) {
        return LetterFilter.ofIds(List.of(letter.id()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
