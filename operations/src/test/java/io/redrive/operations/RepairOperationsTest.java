package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.ActionFilter;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorAction;
import io.redrive.events.Settlement;
import io.redrive.testkit.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RepairOperationsTest {

    private static final RepairExpression FIX =
            RepairExpression.compile("currency = 'XBT' ? $ ~> |$|{\"currency\": \"BTC\"}| : $");

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Operations operations = operations(store);

    @Test
    void a_preview_counts_and_samples_and_changes_nothing() {
        die("{\"currency\": \"XBT\"}");
        die("{\"currency\": \"EUR\"}");
        die("oops");
        die("{\"currency\": \"XBT\", \"n\": 2}");
        List<String> before = payloads();

        RepairPreview preview = operations.repairs().preview(LetterSelection.all(), FIX, 1, done -> {});

        assertThat(preview.counts())
                .isEqualTo(new RepairCounts(2, 1, 1, 0))
                .hasToString("2 changed, 1 unchanged, 1 failing");
        assertThat(preview.samples()).singleElement().satisfies(sample -> {
            assertThat(sample.letter()).isEqualTo(1);
            assertThat(new String(sample.after(), StandardCharsets.UTF_8)).isEqualTo("{\"currency\":\"BTC\"}");
        });
        assertThat(preview.failures()).extracting(RepairPreview.Failure::letter).containsExactly(3L);
        assertThat(payloads()).isEqualTo(before);
        assertThat(operations.actions(ActionFilter.ALL, 10)).isEmpty();
        assertThatThrownBy(() -> operations.repairs().preview(LetterSelection.all(), FIX, 101, done -> {}))
                .hasMessage("samples must be 0 to 100, got 101");
    }

    @Test
    void a_repair_is_one_row_with_its_expression_and_counts() {
        for (int i = 0; i < 120; i++) {
            die("{\"currency\": \"" + (i % 3 == 0 ? "EUR" : "XBT") + "\", \"n\": " + i + "}");
        }
        RepairCounts counts = repair(operations, FIX);

        assertThat(counts).isEqualTo(new RepairCounts(80, 40, 0, 0));
        assertThat(operations.actions(ActionFilter.ALL, 10)).singleElement().satisfies(row -> {
            assertThat(row.action()).isEqualTo("repair");
            assertThat(row.operator()).isEqualTo("ann");
            assertThat(row.letters()).isEqualTo(80);
            assertThat(row.command().about()).contains("expression currency = 'XBT'");
            assertThat(row.outcome()).isEqualTo("80 changed, 40 unchanged, 0 failing");
        });
        assertThat(repair(operations, FIX)).isEqualTo(new RepairCounts(0, 120, 0, 0));
    }

    @Test
    void a_repair_spares_letters_edited_after_its_page_was_read_and_letters_that_died_later() {
        for (int i = 0; i < 60; i++) {
            die("{\"currency\": \"XBT\", \"n\": " + i + "}");
        }
        RepairPreview preview = operations.repairs().preview(LetterSelection.all(), FIX, 0, done -> {});
        operations.letters().edit(55, "{\"currency\": \"EUR\"}".getBytes(StandardCharsets.UTF_8));
        time.advance(Duration.ofSeconds(1));
        die("{\"currency\": \"XBT\"}");

        RepairCounts counts = operations.repairs().apply(preview, FIX, done -> {});

        assertThat(counts).isEqualTo(new RepairCounts(59, 1, 0, 0));
        assertThat(payloads().get(54)).isEqualTo("{\"currency\": \"EUR\"}");
        assertThat(payloads().get(60)).isEqualTo("{\"currency\": \"XBT\"}");
    }

    @Test
    void a_repair_and_its_revert_restore_every_byte() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 120; i++) {
            die(random.nextInt(10) == 0 ? "no json " + i : RandomJson.object(random, 3));
        }
        List<String> before = payloads();

        RepairCounts counts = repair(operations, FIX);
        List<String> repaired = payloads();
        assertThat(counts.letters()).isEqualTo(120);
        assertThat(repaired).as("seed %d", seed).noneMatch(payload -> payload.startsWith("{\"currency\": \"XBT\""));

        RepairCounts reverted = revert(operations);
        assertThat(reverted).isEqualTo(new RepairCounts(counts.changed(), 120 - counts.changed(), 0, 0));
        assertThat(payloads()).as("seed %d", seed).isEqualTo(before);
        assertThat(revert(operations).changed()).as("a second revert").isZero();
        assertThat(payloads()).isEqualTo(before);
    }

    @Test
    void a_revert_leaves_an_edit_made_after_the_repair() {
        die("{\"currency\": \"XBT\"}");
        repair(operations, FIX);
        operations.letters().edit(1, "{\"currency\": \"USD\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(revert(operations)).isEqualTo(new RepairCounts(0, 1, 0, 0));
        assertThat(payloads()).containsExactly("{\"currency\": \"USD\"}");
        assertThat(operations.letters().versions(1))
                .extracting(LetterVersion::action)
                .containsExactly("repair", "edit");
    }

    @Test
    void a_failing_or_hostile_expression_changes_nothing() {
        for (int i = 0; i < 5; i++) {
            die("{\"currency\": \"XBT\", \"n\": " + i + "}");
        }
        List<String> before = payloads();
        for (String text : List.of(
                "nope",
                "$error('x')",
                "$pad('x', 2000000000)",
                "($f := function($x) {$f($x)}; $f(1))",
                "function($x) {$x}")) {
            assertThat(repair(operations, RepairExpression.compile(text)))
                    .as(text)
                    .isEqualTo(new RepairCounts(0, 0, 5, 0));
            assertThat(payloads()).as(text).isEqualTo(before);
            assertThat(operations.letters().versions(1)).isEmpty();
        }
    }

    @Test
    void a_repair_that_dies_at_any_call_can_be_run_again() {
        for (FaultyStore.Moment moment : FaultyStore.Moment.values()) {
            boolean failed = true;
            for (int call = 1; failed; call++) {
                InMemoryEventStore fresh = new InMemoryEventStore();
                for (int i = 0; i < 60; i++) {
                    die(fresh, "{\"currency\": \"XBT\", \"n\": " + i + "}");
                }
                FaultyStore faulty = FaultyStore.failing(fresh, call, moment);
                try {
                    repair(operations(faulty), FIX);
                } catch (FaultyStore.Fault killed) {
                    repair(operations(fresh), FIX);
                }
                failed = faulty.hasFailed();
                List<DeadLetter> letters = fresh.deadLetters().list(LetterFilter.ALL, 0, 100);
                assertThat(letters).allMatch(letter -> letter.event().text().startsWith("{\"currency\":\"BTC\""));
                assertThat(letters)
                        .allSatisfy(letter -> assertThat(fresh.deadLetters().versions(letter.id()))
                                .hasSize(1));
                assertThat(fresh.deadLetters().actions(10).stream()
                                .mapToLong(OperatorAction::letters)
                                .sum())
                        .isEqualTo(60);
            }
        }
    }

    private RepairCounts repair(Operations by, RepairExpression expression) {
        RepairPreview preview = by.repairs().preview(LetterSelection.all(), expression, 0, done -> {});
        return by.repairs().apply(preview, expression, done -> {});
    }

    private RepairCounts revert(Operations by) {
        return by.repairs().revert(by.letters().preview(LetterSelection.all()), done -> {});
    }

    private Operations operations(EventStore on) {
        return Operations.of(on, Operator.named("ann", Role.OPERATOR), time);
    }

    private List<String> payloads() {
        return store.deadLetters().list(LetterFilter.ALL, 0, 1_000).stream()
                .map(letter -> letter.event().text())
                .toList();
    }

    private void die(String payload) {
        die(store, payload);
    }

    private void die(EventStore on, String payload) {
        Event event = Event.named("order.paid")
                .source("shop")
                .time(time)
                .payload(payload.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
        on.publish(List.of(event), time.now());
        Claim claim = on.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), time.now()))
                .get(0);
        AttemptRecord attempt =
                new AttemptRecord(1, time.now(), "n", Duration.ZERO, "IOException", "broken", "dead", "not retryable");
        on.settle(List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, "abc", "shop")), time.now());
    }
}
