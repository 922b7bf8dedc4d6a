package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterFilter.Redacted;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.Settlement;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.RedactionMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Letters whose payload or headers were redacted before they were stored. */
interface RedactedLetterContract extends StoreUnderTest {

    Redaction RULES = Redaction.of(List.of("/card", "header:token"), RedactionMode.STORED);

    @Test
    default void a_letter_keeps_the_redacted_event_and_nothing_of_the_secret() {
        StoreDriver on = open();
        DeadLetter letter = redacted(on, on.event("a").header("token", "s3cret").json("{\"card\":\"4111\",\"n\":1}"));
        DeadLetter found = on.on(reopened(on)).letters().find(letter.id()).orElseThrow();
        assertThat(found.isRedacted()).isTrue();
        assertThat(found.event().text()).isEqualTo("{\"card\":\"[redacted]\",\"n\":1}");
        assertThat(found.event().headers())
                .containsEntry("token", "[redacted]")
                .containsEntry(DeadLetter.REDACTED_HEADER, "payload headers");
        assertThat(on.letters().list(LetterFilter.ALL.withText("4111"), 0, 10)).isEmpty();
        assertThat(on.letters().list(LetterFilter.ALL.withText("s3cret"), 0, 10))
                .isEmpty();
    }

    @Test
    default void a_filter_tells_redacted_letters_from_whole_ones() {
        StoreDriver on = open();
        DeadLetter whole = on.letter(on.event("a").header("note", "\"redrive-redacted\":\"payload\""));
        DeadLetter redacted = redacted(on, on.event("b").json("{\"card\":1234}"));
        assertThat(ids(on, Redacted.ONLY)).containsExactly(redacted.id());
        assertThat(ids(on, Redacted.EXCLUDED)).containsExactly(whole.id());
        assertThat(ids(on, Redacted.INCLUDED)).containsExactly(whole.id(), redacted.id());
        assertThat(on.letters().count(LetterFilter.ALL.withRedacted(Redacted.ONLY)))
                .isEqualTo(1);
    }

    @Test
    default void a_redrive_leaves_redacted_letters_out_until_asked_for() {
        StoreDriver on = open();
        redacted(on, on.event("a").json("{\"card\":1234}"));
        on.letter(on.event("b"));
        assertThat(on.redrive(LetterFilter.ALL)).isEqualTo(1);
        assertThat(on.redrive(LetterFilter.ALL)).isZero();
        assertThat(on.redrive(LetterFilter.ALL.withRedacted(Redacted.INCLUDED))).isEqualTo(1);
        assertThat(on.letters().count(LetterFilter.ALL)).isZero();
    }

    @Test
    default void an_operation_selects_redacted_letters_only_when_asked_for() {
        StoreDriver on = open();
        redacted(on, on.event("a").json("{\"card\":1234}"));
        RedriveOrder all = RedriveOrder.ofAllLetters(RedrivePlan.ALL_AT_ONCE, "ann");
        assertThat(previewed(on, all).counts().selected()).isZero();
        RedriveOrder asked =
                RedriveOrder.of(LetterFilter.ALL.withRedacted(Redacted.INCLUDED), RedrivePlan.ALL_AT_ONCE, "ann");
        assertThat(previewed(on, asked).counts().selected()).isEqualTo(1);
        on.store()
                .redrives()
                .change(
                        asked.id(),
                        RedriveChange.START,
                        asked.command(),
                        on.time().now());
        on.store().redrives().turn("node", on.time().now());
        assertThat(on.letters().count(LetterFilter.ALL)).isZero();
    }

    @Test
    default void an_edit_makes_the_payload_whole_and_the_mark_of_the_headers_stays() {
        StoreDriver on = open();
        DeadLetter payload = redacted(on, on.event("a").header("k", "v").json("{\"card\":1234}"));
        DeadLetter both = redacted(on, on.event("b").header("token", "s3cret").json("{\"card\":1234}"));
        for (DeadLetter letter : List.of(payload, both)) {
            on.letters()
                    .edit(
                            letter.id(),
                            bytes("{\"card\":5678}"),
                            "ann",
                            on.time().now());
        }
        DeadLetter whole = on.letters().find(payload.id()).orElseThrow();
        assertThat(whole.event().headers()).isEqualTo(Map.of("k", "v"));
        assertThat(whole.event().text()).isEqualTo("{\"card\":5678}");
        assertThat(on.letters().find(both.id()).orElseThrow().event().headers())
                .containsEntry(DeadLetter.REDACTED_HEADER, "headers");
        assertThat(on.redrive(LetterFilter.ALL)).isEqualTo(1);
    }

    @Test
    default void a_repair_keeps_the_mark_and_so_does_a_redrive() {
        StoreDriver on = open();
        DeadLetter letter = redacted(on, on.event("a").json("{\"card\":1234}"));
        on.letters()
                .replace(
                        List.of(new PayloadChange(letter.id(), bytes("{\"card\":\"[redacted]\"}"), bytes("{\"n\":1}"))),
                        "repair",
                        OperatorCommand.by("ann"),
                        on.time().now());
        assertThat(on.letters().find(letter.id()).orElseThrow().isRedacted()).isTrue();
        on.redrive(LetterFilter.ALL.withRedacted(Redacted.INCLUDED));
        assertThat(on.claimOne().event().headers()).containsKey(DeadLetter.REDACTED_HEADER);
    }

    @Test
    default void redacted_and_whole_letters_of_one_call_keep_their_own_values() {
        StoreDriver on = open();
        on.publish(List.of(on.event("a").json("{\"card\":1}").build()));
        on.publish(List.of(on.event("b").json("{\"other\":2}").build()));
        on.publish(List.of(on.event("c").json("{\"card\":3}").build()));
        on.settleAll(claim -> dead(on, claim));
        assertThat(on.all())
                .extracting(letter -> letter.event().text())
                .containsExactlyInAnyOrder("{\"card\":\"[redacted]\"}", "{\"other\":2}", "{\"card\":\"[redacted]\"}");
    }

    private static RedriveOperation previewed(StoreDriver on, RedriveOrder order) {
        RedriveOperation operation =
                on.store().redrives().select(order, on.time().now());
        while (operation.state() instanceof RedriveState.Selecting) {
            operation = on.store().redrives().select(order, on.time().now());
        }
        return operation;
    }

    private static DeadLetter redacted(StoreDriver on, Event.Builder event) {
        on.publish(List.of(event.build()));
        Claim claim = on.claimOne();
        on.settle(dead(on, claim));
        List<DeadLetter> all = on.all();
        return all.get(all.size() - 1);
    }

    private static Settlement.Dead dead(StoreDriver on, Claim claim) {
        Settlement.Dead dead = on.deadOf(claim);
        Event kept = RULES.event(claim.event());
        return new Settlement.Dead(
                claim,
                dead.reason(),
                dead.attempt(),
                dead.fingerprint(),
                dead.service(),
                dead.version(),
                kept == claim.event() ? Optional.empty() : Optional.of(kept));
    }

    private static List<Long> ids(StoreDriver on, Redacted rule) {
        return on.letters().list(LetterFilter.ALL.withRedacted(rule), 0, 10).stream()
                .map(DeadLetter::id)
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
