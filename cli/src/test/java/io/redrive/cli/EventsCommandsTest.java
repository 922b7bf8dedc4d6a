package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands that find events, used rightly and wrongly. */
final class EventsCommandsTest {

    private final LetterDesk desk = LetterDesk.withJournal();

    private void publish(Event.Builder event) {
        desk.store.publish(List.of(event.source("shop").time(desk.time).build()), desk.time.now());
    }

    private void finishAll() {
        ClaimRequest all = new ClaimRequest("n1", Lane.DOMAIN, 10, false, Duration.ofMinutes(1), desk.time.now());
        for (Claim claim : desk.store.claim(all)) {
            desk.store.settle(List.of(new Settlement.Done(claim, "n1", Duration.ofMillis(7))), desk.time.now());
        }
    }

    @Test
    void a_chain_is_shown_in_every_state_in_the_order_of_creation() {
        publish(Event.named("order.placed").id("first").correlationId("order-17"));
        finishAll();
        desk.time.advance(Duration.ofSeconds(1));
        desk.dead("order.paid");
        publish(Event.named("mail.thanks").id("last").correlationId("order-17").delay(Duration.ofHours(1)));
        Ran found = desk.run("events find order-17 --by correlation");
        assertThat(found.code()).isZero();
        assertThat(found.out().lines().skip(1)).hasSize(3);
        assertThat(found.out().lines().skip(1).map(line -> line.split(" ")[0]))
                .containsExactly("finished", "dead", "waiting");
        assertThat(found.out()).contains("on n1, attempt 1, took 7 ms", "letter 1", "waits for its due time, due in");
        assertThat(desk.run("events find first --json").out())
                .contains("\"state\":\"finished\"", "\"node\":\"n1\"", "\"duration_ms\":7");
    }

    @Test
    void an_id_that_never_existed_ends_with_code_1_and_says_how_far_the_journal_reaches() {
        publish(Event.named("order.placed").id("a"));
        finishAll();
        Ran none = desk.run("events find nothing");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.out()).isEmpty();
        assertThat(none.err())
                .contains("no event has the id, correlation id, ordering key, name 'nothing'", "since 2026");
        Ran show = desk.run("events show nothing");
        assertThat(show.code()).isEqualTo(1);
        assertThat(show.err()).contains("no event has the id 'nothing'");
    }

    @Test
    void without_a_journal_the_answer_says_how_to_switch_it_on() {
        LetterDesk off = new LetterDesk();
        assertThat(off.run("events find a").err()).contains("the journal is off or empty", "withJournal");
        Ran tail = off.run("events tail");
        assertThat(tail.code()).isZero();
        assertThat(tail.err()).contains("the journal is off or empty", "no node works on this store");
    }

    @Test
    void blanks_are_cut_off_and_a_blank_text_is_refused() {
        publish(Event.named("order.placed").id("a"));
        assertThat(desk.run("events find", " a ").code()).isZero();
        Ran blank = desk.run("events find", "  ");
        assertThat(blank.code()).isEqualTo(2);
        assertThat(blank.err()).contains("must not be blank");
    }

    @Test
    void wildcards_and_an_unknown_text_are_explained() {
        publish(Event.named("order.placed").id("a"));
        Ran wildcard = desk.run("events find order.*");
        assertThat(wildcard.code()).isEqualTo(1);
        assertThat(wildcard.err()).contains("* and % are no wildcards");
        Ran by = desk.run("events find a --by colour");
        assertThat(by.code()).isEqualTo(2);
        assertThat(by.err()).contains("--by must be one of id, correlation, key, name; got 'colour'");
        assertThat(desk.run("events find a --limit 0").code()).isEqualTo(2);
    }

    @Test
    void an_id_with_several_correlation_ids_is_shown_for_each() {
        publish(Event.named("order.placed").id("a").correlationId("one"));
        publish(Event.named("order.placed").id("a").correlationId("two"));
        Ran both = desk.run("events show a");
        assertThat(both.out()).contains("one", "two");
        assertThat(both.err()).contains("2 events have this id; choose one with --correlation");
        assertThat(desk.run("events show a --correlation two").out())
                .contains("two")
                .doesNotContain("one\n");
    }

    @Test
    void show_tells_the_failures_that_a_retry_saved() {
        publish(Event.named("order.placed").id("a"));
        ClaimRequest one = new ClaimRequest("n1", Lane.DOMAIN, 1, false, Duration.ofMinutes(1), desk.time.now());
        Claim claim = desk.store.claim(one).get(0);
        AttemptRecord failed = new AttemptRecord(
                1, desk.time.now(), "n1", Duration.ofMillis(5), "IOException", "refused", "retry", "after 1s");
        desk.store.settle(
                List.of(new Settlement.Retry(claim, desk.time.now().plusSeconds(1), Duration.ofSeconds(1), failed)),
                desk.time.now());
        desk.time.advance(Duration.ofMillis(500));
        assertThat(desk.run("events show a").out())
                .contains("event a", "waits for its next attempt, due in", "waits since    " + failed.at());
        desk.time.advance(Duration.ofSeconds(1));
        finishAll();
        assertThat(desk.run("events show a").out())
                .contains("event a", "finished", "attempt 2", "failed before", "IOException: refused");
    }

    @Test
    void waiting_events_are_listed_with_their_reason() {
        publish(Event.named("order.placed").id("now"));
        publish(Event.named("order.placed").id("later").delay(Duration.ofHours(2)));
        assertThat(desk.run("events waiting").out())
                .contains("is due, and no node works on this store", "waits for its due time");
        assertThat(desk.run("events waiting --name order.placed --json").out()).contains("\"why\":\"due_time\"");
        assertThat(new LetterDesk().run("events waiting").out()).isEqualToIgnoringNewLines("no event waits");
        assertThat(desk.run("events waiting --name order.*").out())
                .isEqualToIgnoringNewLines("no event with the name 'order.*' waits; names are compared exactly");
    }

    @Test
    void tail_shows_the_events_that_finished_last_in_order() {
        publish(Event.named("order.placed").id("a"));
        finishAll();
        desk.time.advance(Duration.ofSeconds(1));
        publish(Event.named("mail.sent").id("b"));
        finishAll();
        Ran tail = desk.run("events tail");
        assertThat(tail.out().lines()).hasSize(2);
        assertThat(tail.out().lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains("order.placed"));
        assertThat(desk.run("events tail --name mail.sent --json").out().lines())
                .hasSize(1);
    }

    @Test
    void overtaken_letters_are_left_out_of_a_redrive_unless_asked_for() {
        desk.dead(
                event -> event.orderingKey("customer-1"), "order.paid", Reason.NOT_RETRYABLE, "IOException", "refused");
        desk.dead("order.sent");
        desk.time.advance(Duration.ofSeconds(1));
        publish(Event.named("order.paid").id("newer").orderingKey("customer-1"));
        finishAll();
        Ran dry = desk.run("dlq redrive --all --dry-run");
        assertThat(dry.out()).contains("1 letter would be redriven");
        assertThat(dry.err()).contains("1 letter is left out", "--include-overtaken");
        assertThat(desk.run("dlq redrive --all --dry-run --include-overtaken").out())
                .contains("2 letters would be redriven");
        desk.run("dlq redrive --all --yes --no-wait");
        Ran named = desk.run("dlq redrive 1 --no-wait");
        assertThat(named.err()).contains("1 letter is left out");
        assertThat(desk.letters()).extracting(letter -> letter.id()).contains(1L);
    }
}
