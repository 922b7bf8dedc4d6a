package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.HandledEvent;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.operations.difference.Difference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DifferenceOperationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Operations operations = Operations.of(store, Operator.named("ann", Role.VIEWER), time);
    private int made;

    private void letters(int count, String name, String payload, String node) {
        List<DeadLetter> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made++;
            letters.add(new DeadLetter(
                    made,
                    event("l-" + made, name, payload),
                    Optional.empty(),
                    Reason.NOT_RETRYABLE,
                    "IOException",
                    "no",
                    "f",
                    "shop",
                    new Attempts(1, 0, 0),
                    0,
                    0,
                    time.now(),
                    List.of(new AttemptRecord(
                            1, time.now(), node, Duration.ofMillis(1), "IOException", "no", "dead", ""))));
        }
        for (int from = 0; from < count; from += 1_000) {
            store.deadLetters().importLetters(letters.subList(from, Math.min(count, from + 1_000)), "ann", time.now());
        }
    }

    private void handled(int count, String name, String payload, String node) {
        store.samples()
                .add(IntStream.range(0, count)
                        .mapToObj(i ->
                                HandledEvent.of(event("h-" + i, name, payload), time.now(), node, Optional.empty()))
                        .toList());
    }

    private Event event(String id, String name, String payload) {
        return Event.named(name)
                .id(id)
                .source("shop")
                .time(time)
                .payload(payload.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
    }

    private List<String> sentences(NameDifferences name) {
        return name.differences().stream().map(Difference::sentence).toList();
    }

    @Test
    void a_cause_of_many_names_is_compared_by_its_largest_names_with_a_bounded_sample() {
        for (int name = 0; name < 25; name++) {
            letters(name < 5 ? 1 : 3, "order.n" + name, "{\"currency\": \"XBT\"}", "node-1");
            handled(300, "order.n" + name, "{\"currency\": \"EUR\"}", "node-1");
        }
        CauseDifferences differences = operations.causes().differences("f").orElseThrow();
        assertThat(differences.letters()).isEqualTo(5 + 60);
        assertThat(differences.compared()).isEqualTo(60);
        assertThat(differences.names()).hasSize(CauseDifferences.MAX_NAMES).allMatch(name -> name.letters() == 3);
        assertThat(differences.names().stream()
                        .mapToInt(NameDifferences::handled)
                        .sum())
                .isEqualTo(DifferenceFinder.MAX_HANDLED);
    }

    @Test
    void each_name_of_a_cause_is_compared_with_handled_events_of_that_name() {
        letters(30, "order.paid", "{\"currency\": \"XBT\"}", "node-1");
        letters(50, "order.sent", "{\"carrier\": \"x\"}", "node-1");
        handled(100, "order.paid", "{\"currency\": \"EUR\"}", "node-1");
        CauseDifferences differences = operations.causes().differences("f").orElseThrow();
        assertThat(differences.letters()).isEqualTo(80);
        assertThat(differences.compared()).isEqualTo(80);
        assertThat(differences.names()).extracting(NameDifferences::name).containsExactly("order.sent", "order.paid");
        assertThat(differences.names().get(0).handled()).isZero();
        assertThat(differences.names().get(0).differences()).isEmpty();
        assertThat(sentences(differences.names().get(1)))
                .containsExactly("all 30 letters have /currency = \"XBT\"; of 100 handled events none");
    }

    @Test
    void the_newest_thousand_letters_are_compared_and_the_answer_says_so() {
        letters(300, "order.paid", "{\"currency\": \"EUR\"}", "node-1");
        letters(1_000, "order.paid", "{\"currency\": \"XBT\"}", "node-9");
        handled(100, "order.paid", "{\"currency\": \"EUR\"}", "node-1");
        CauseDifferences differences = operations.causes().differences("f").orElseThrow();
        assertThat(differences.letters()).isEqualTo(1_300);
        assertThat(differences.compared()).isEqualTo(1_000);
        assertThat(sentences(differences.names().get(0)))
                .containsExactly(
                        "all 1,000 letters have /currency = \"XBT\"; of 100 handled events none",
                        "all 1,000 letters have node = node-9; of 100 handled events none");
    }

    @Test
    void large_payloads_end_the_sample_of_letters_early() {
        letters(60, "order.paid", "{\"a\": \"" + "x".repeat(1_000_000) + "\"}", "node-1");
        int read = LetterSample.newest(store.deadLetters(), LetterFilter.ALL).size();
        assertThat(read).isBetween(17, 20);
    }

    @Test
    void a_sample_has_no_letter_twice_and_the_newest_first() {
        letters(777, "order.paid", "{}", "node-1");
        assertThat(LetterSample.newest(store.deadLetters(), LetterFilter.ALL))
                .extracting(DeadLetter::id)
                .hasSize(777)
                .isSortedAccordingTo((one, other) -> Long.compare(other, one))
                .doesNotHaveDuplicates();
        assertThat(LetterSample.newest(store.deadLetters(), LetterFilter.ALL))
                .allMatch(letter -> letter.history().size() == 1);
    }

    @Test
    void the_payload_that_died_is_compared_and_not_the_edited_one() {
        letters(30, "order.paid", "{\"currency\": \"XBT\"}", "node-1");
        handled(100, "order.paid", "{\"currency\": \"EUR\"}", "node-1");
        for (DeadLetter letter : store.deadLetters().list(LetterFilter.ALL, 0, 100)) {
            store.deadLetters()
                    .edit(letter.id(), "{\"currency\": \"EUR\"}".getBytes(StandardCharsets.UTF_8), "ann", time.now());
        }
        assertThat(sentences(operations
                        .causes()
                        .differences("f")
                        .orElseThrow()
                        .names()
                        .get(0)))
                .containsExactly("all 30 letters have /currency = \"XBT\"; of 100 handled events none");
    }

    @Test
    void an_unknown_cause_and_an_unknown_letter_have_no_differences() {
        assertThat(operations.causes().differences("nope")).isEmpty();
        assertThat(operations.letters().differences(17)).isEmpty();
    }

    @Test
    void looking_changes_nothing() {
        letters(30, "order.paid", "{\"currency\": \"XBT\"}", "node-1");
        int actions = store.deadLetters().actions(10).size();
        operations.causes().differences("f");
        operations
                .letters()
                .differences(
                        store.deadLetters().list(LetterFilter.ALL, 0, 1).get(0).id());
        assertThat(store.deadLetters().actions(10)).hasSize(actions);
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isEqualTo(30);
    }
}
