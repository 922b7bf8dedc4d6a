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
import io.redrive.events.DeadLetterJson;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedrivePlan;
import io.redrive.events.Scheduled;
import io.redrive.events.Settlement;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.redaction.Redaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Secrets that an operator must not see, in all that the facade shows. */
class ShownRedactionTest {

    private static final Redaction RULES = Redaction.of(List.of("/card", "header:token", "pattern:pin-\\d+"));

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final StoredOperations all = Operations.of(store, Operator.named("ann", Role.ADMIN), time);
    private final Operations operations = all.showing(RULES);
    private DeadLetter raw;

    @BeforeEach
    void die() {
        store.publish(
                List.of(Event.named("order.paid")
                        .source("shop")
                        .header("Token", "t0ken")
                        .json("{\"card\":\"pan-4111\",\"n\":1}")
                        .time(time)
                        .build()),
                time.now());
        Claim claim = store.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofMinutes(1), time.now()))
                .get(0);
        AttemptRecord attempt = new AttemptRecord(
                1, time.now(), "n", Duration.ZERO, "IOException", "pan-4111 refused, pin-77, t0ken", "dead", "timeout");
        store.settle(
                List.of(new Settlement.Dead(
                        claim,
                        Reason.TIMEOUT,
                        attempt,
                        Fingerprint.of("IOException", attempt.message()),
                        "shop",
                        Optional.empty())),
                time.now());
        raw = store.deadLetters().listWithHistory(LetterFilter.ALL, 0, 1).get(0);
    }

    @Test
    void letters_groups_causes_versions_and_tests_are_shown_without_secrets() {
        clean(DeadLetterJson.write(operations.letters().find(raw.id()).orElseThrow()));
        clean(DeadLetterJson.write(
                operations.letters().newest(LetterFilter.ALL, 99, 1).get(0)));
        clean(DeadLetterJson.write(
                operations.letters().oldestWithHistory(LetterFilter.ALL, 0, 1).get(0)));
        clean(operations.letters().groups(LetterFilter.ALL, 1).toString());
        clean(operations.causes().latest(1).toString());
        clean(operations
                .letters()
                .test(raw.id(), "", Redaction.NONE)
                .orElseThrow()
                .source());
        store.deadLetters().edit(raw.id(), bytes("{\"card\":\"pan-4222\"}"), "bob", time.now());
        clean(new String(operations.letters().versions(raw.id()).get(0).payload(), StandardCharsets.UTF_8));
        assertThat(all.letters().find(raw.id()).orElseThrow().event().text()).isEqualTo("{\"card\":\"pan-4222\"}");
    }

    @Test
    void the_example_of_a_group_is_redacted_by_its_own_letter_also_when_that_letter_was_imported_last() {
        store.deadLetters().purge(LetterFilter.ALL, 1, "ann", time.now());
        time.advance(Duration.ofMinutes(1));
        DeadLetter first = raw;
        die();
        DeadLetter young = raw.withFingerprint(first.fingerprint());
        store.deadLetters().purge(LetterFilter.ALL, 1, "ann", time.now());
        Event other = young.event().toBuilder().json("{\"card\":\"5000\"}").build();
        store.deadLetters().importLetters(List.of(letter(young, other), first), "ann", time.now());
        assertThat(store.deadLetters().groups(LetterFilter.ALL, 1).get(0).example())
                .contains("pan-4111");
        clean(operations.letters().groups(LetterFilter.ALL, 1).toString());
    }

    private static DeadLetter letter(DeadLetter of, Event event) {
        return new DeadLetter(
                of.id(),
                event,
                of.originalPayload(),
                of.reason(),
                of.errorType(),
                "refused",
                of.fingerprint(),
                of.service(),
                of.attempts(),
                of.redrives(),
                of.automaticRedrives(),
                of.deadAt(),
                of.history());
    }

    @Test
    void a_letter_that_is_found_as_an_event_is_shown_without_secrets() {
        FoundEvent found =
                operations.finder().find(EventQuery.name("order.paid"), 1).get(0);
        clean(DeadLetterJson.write(((FoundEvent.Died) found).letter()));
    }

    @Test
    void scheduled_events_are_shown_without_secrets() {
        store.publish(
                List.of(Event.named("order.later")
                        .source("shop")
                        .json("{\"card\":\"pan-4111\"}")
                        .time(time)
                        .delay(Duration.ofHours(1))
                        .build()),
                time.now());
        clean(operations
                .events()
                .scheduled(Scheduled.Filter.ALL, 1)
                .get(0)
                .event()
                .text());
    }

    @Test
    void a_repair_works_on_the_stored_values_and_its_preview_hides_them() {
        RepairExpression fix = RepairExpression.compile("$ ~> |$|{\"n\": 2}|");
        RepairPreview preview =
                operations.repairs().preview(LetterSelection.ofIds(List.of(raw.id())), fix, 3, done -> {});
        clean(new String(preview.samples().get(0).before(), StandardCharsets.UTF_8));
        clean(new String(preview.samples().get(0).after(), StandardCharsets.UTF_8));
        operations.repairs().apply(preview, fix, done -> {});
        assertThat(store.deadLetters().find(raw.id()).orElseThrow().event().text())
                .isEqualTo("{\"card\":\"pan-4111\",\"n\":2}");
    }

    @Test
    void an_edit_of_a_redacted_view_is_refused_and_the_secret_stays() {
        byte[] view = operations.letters().find(raw.id()).orElseThrow().event().payload();
        assertThatThrownBy(() -> operations.letters().edit(raw.id(), view))
                .hasMessageContaining("must not contain [redacted], which stands for a value that was not shown");
        assertThat(store.deadLetters().find(raw.id()).orElseThrow().event().text())
                .contains("pan-4111");
        assertThat(operations.letters().edit(raw.id(), bytes("{\"card\":\"4333\"}")))
                .isTrue();
    }

    @Test
    void the_record_of_actions_has_no_text_that_a_pattern_hides() {
        Preview preview = operations.letters().preview(LetterSelection.matching(LetterFilter.ALL.withText("pin-77")));
        operations.letters().purge(preview, done -> {});
        assertThat(all.actions(ActionFilter.ALL, 1).get(0).detail())
                .contains("text '[redacted]'")
                .doesNotContain("pin-77");
        store.deadLetters().record(io.redrive.events.OperatorCommand.by("bob"), "note", "pin-88 is wrong", time.now());
        assertThat(operations.actions(ActionFilter.ALL, 1).get(0).detail()).isEqualTo("[redacted] is wrong");
    }

    @Test
    void a_redacted_export_that_is_imported_is_not_redriven_by_accident() {
        String line = DeadLetterJson.write(
                operations.letters().oldestWithHistory(LetterFilter.ALL, 0, 1).get(0));
        InMemoryEventStore other = new InMemoryEventStore();
        Operations there = Operations.of(other, Operator.named("ann", Role.ADMIN), time);
        there.letters().beginImport("file").add(List.of(DeadLetterJson.read(line, 1)));

        assertThat(there.redrives().leftOut(LetterSelection.all())).isEqualTo(1);
        assertThat(there.redrives()
                        .preview(LetterSelection.all(), RedrivePlan.ALL_AT_ONCE)
                        .counts()
                        .selected())
                .isZero();
        assertThat(there.redrives()
                        .preview(LetterSelection.all().withRedacted(), RedrivePlan.ALL_AT_ONCE)
                        .counts()
                        .selected())
                .isEqualTo(1);
    }

    @Test
    void a_filter_that_only_includes_redacted_letters_still_means_all_letters() {
        assertThatThrownBy(
                        () -> LetterSelection.matching(LetterFilter.ALL.withRedacted(LetterFilter.Redacted.INCLUDED)))
                .hasMessageContaining("select all letters explicitly");
    }

    private static void clean(String shown) {
        assertThat(shown).contains("[redacted]").doesNotContain("pan-4111", "pin-77", "t0ken");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
