package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.core.Reason;
import io.redrive.events.Fingerprint;
import io.redrive.events.OperatorAction;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Pipeline;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DlqRedriveTest {

    private final LetterDesk desk = new LetterDesk();

    @Test
    void letters_become_ready_events() {
        desk.dead("order.paid");
        desk.dead("order.paid");
        desk.dead("ml.run.started");

        assertThat(desk.run("dlq redrive --name order.* --dry-run").out())
                .isEqualToIgnoringNewLines("2 letters would be redriven");
        Ran ran = desk.run("dlq redrive --name order.* --operator ada");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualToIgnoringNewLines("2 letters redriven");
        assertThat(stats().ready()).isEqualTo(2);
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.store.deadLetters().actions(10))
                .extracting(OperatorAction::operator)
                .containsOnly("ada");
        assertThat(desk.run("dlq actions").out()).contains("ada", "redrive");
    }

    @Test
    void ids_and_a_limit_select_letters() {
        for (int i = 0; i < 5; i++) {
            desk.dead("order.paid");
        }

        assertThat(desk.run("dlq redrive 2 4").out()).isEqualToIgnoringNewLines("2 letters redriven");
        assertThat(desk.run("dlq redrive --all --limit 1 --yes").out()).isEqualToIgnoringNewLines("1 letter redriven");
        assertThat(desk.letters()).extracting(letter -> letter.id()).containsExactly(3L, 5L);
    }

    @Test
    void redrive_without_a_selection_is_wrong_input() {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq redrive");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("name the letters to redrive: ids, a filter such as --fingerprint, or --all");
        assertThat(desk.letters()).hasSize(1);
    }

    @Test
    void a_rate_is_kept() {
        for (int i = 0; i < 30; i++) {
            desk.dead("order.paid");
        }
        var before = desk.time.now();

        Ran ran = desk.run("dlq redrive --all --yes --rate 10/s");

        assertThat(ran.out()).isEqualToIgnoringNewLines("30 letters redriven");
        assertThat(ran.err()).as("progress within five seconds").doesNotContain("of 30 redriven");
        assertThat(Duration.between(before, desk.time.now())).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "0", "10/d", "-1/s"})
    void a_malformed_rate_is_wrong_input(String rate) {
        desk.dead("order.paid");

        assertThat(desk.run("dlq redrive --all --yes", "--rate=" + rate).code()).isEqualTo(2);
        assertThat(desk.letters()).hasSize(1);
    }

    @Test
    void a_rate_of_nothing_names_the_option_and_the_value() {
        desk.dead("order.paid");

        assertThat(desk.run("dlq redrive --name order.* --rate 0/s").err())
                .contains("--rate must be between 0.001/s and 1000000/s, got '0/s'");
        assertThat(desk.letters()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redrive", "purge", "repair", "export"})
    void a_blank_text_chooses_no_letters(String verb) {
        desk.dead("order.paid");
        String more = verb.equals("repair") ? " --expression $ --apply" : verb.equals("export") ? " --out -" : "";

        Ran ran = desk.run("dlq " + verb + more, "--text", "");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("text must not be blank, because every letter contains it; got ''");
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.store.deadLetters().actions(10)).isEmpty();
    }

    @Test
    void all_letters_are_redriven_only_after_a_yes() {
        desk.dead("order.paid");

        assertThat(desk.run("dlq redrive --all").err()).contains("this would redrive all 1 letter; say --yes");
        assertThat(desk.at(new PersonAtTerminal(80, "n", ""))
                        .run("dlq redrive --all")
                        .out())
                .isEqualToIgnoringNewLines("nothing was redriven");
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.store.deadLetters().actions(10)).isEmpty();
        assertThat(desk.at(new PersonAtTerminal(80, "y", ""))
                        .run("dlq redrive --all")
                        .out())
                .contains("1 letter redriven");
    }

    @Test
    void a_canary_without_a_live_node_is_refused_at_once() {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq redrive --name order.* --canary");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("a canary needs a running pipeline, and no node works on this store");
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.store.deadLetters().actions(10)).isEmpty();
    }

    @Test
    void a_canary_waits_for_a_sign_of_life_from_a_silent_node() {
        desk.dead("order.paid");
        Pipeline pipeline = idle();
        desk.time.advance(Duration.ofMinutes(5));

        Ran ran = desk.run("dlq redrive --name order.* --canary");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("the last one, shop-1, was seen 5m ago", "nothing was redriven");
        // By the command's clock the node has been silent for minutes, although the node keeps sending signs of life.
        Context behind = new Context(
                new SteppingTime(desk.time, pipeline), desk, new NoTerminal(), java.io.InputStream.nullInputStream());
        desk.time.advance(Duration.ofMinutes(5));
        Ran again = Ran.redrive(
                behind, "dlq", "redrive", "--canary", "--all", "--yes", "--stage-limit", "1m", "--store", "orders.db");
        assertThat(again.err()).doesNotContain("nothing was redriven");
    }

    @Test
    void a_redrive_without_a_node_tells_that_events_will_wait() {
        desk.dead("order.paid");

        assertThat(desk.run("dlq redrive 1").err())
                .contains("no node works on this store", "wait until a pipeline runs");
    }

    @Test
    void a_second_canary_on_the_same_cause_is_refused_with_the_name_of_the_first() {
        for (int i = 0; i < 3; i++) {
            desk.dead("order.paid");
        }
        desk.dead("ml.run.started", "{}", Reason.TIMEOUT, "TimeoutException", "no answer");
        idle();
        String first = desk.run("dlq redrive --name order.* --canary --no-wait --operator ada --json")
                .text("id");

        Ran second = desk.run("dlq redrive --canary 2 3");

        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err())
                .contains("letter 2 is pending in operation " + first + " of ada")
                .contains("nothing was redriven");
        assertThat(desk.run("dlq redrive --canary --name ml.* --stage-limit 1s").code())
                .isEqualTo(3);
        desk.run("operations cancel " + first);
        assertThat(desk.run("dlq redrive --canary 2 --stage-limit 1s").code()).isEqualTo(3);
    }

    @Test
    void a_redrive_that_is_not_followed_says_how_to_look_at_it_and_how_to_stop_it() {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq redrive 1 --no-wait");

        String id = desk.store.redrives().list(1).get(0).id();
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("operation " + id + " waits: 0 of 1 redriven")
                .contains("it goes on when a node runs, or with: redrive operations resume " + id)
                .contains("to look at it: redrive operations show " + id + " --store orders.db")
                .contains("to stop it:    redrive operations cancel " + id + " --store orders.db");
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.run("operations resume " + id).out()).isEqualToIgnoringNewLines("1 letter redriven");
        assertThat(desk.letters()).isEmpty();
    }

    @Test
    void a_redrive_that_a_node_carries_on_is_one_row_in_the_record_of_actions() {
        for (int i = 0; i < 3; i++) {
            desk.dead("order.paid");
        }
        Pipeline node = idle();
        desk.run("dlq redrive --all --yes --canary --no-wait --operator ada");
        desk.time.advance(Duration.ofSeconds(1));
        node.drain();

        assertThat(desk.store.deadLetters().actions(10)).singleElement().satisfies(row -> {
            assertThat(row.operator()).isEqualTo("ada");
            assertThat(row.outcome()).isEqualTo("canary running, 0 of 3");
            assertThat(row.letters()).isEqualTo(1);
        });
        assertThat(desk.letters()).hasSize(2);
    }

    @Test
    void a_redrive_of_no_letters_leaves_nothing_behind() {
        Ran ran = desk.run("dlq redrive --name order.*");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualToIgnoringNewLines("0 letters redriven");
        assertThat(desk.store.redrives().list(10)).isEmpty();
        assertThat(desk.store.deadLetters().actions(10)).isEmpty();
    }

    @Test
    void json_is_one_object_at_the_end() {
        desk.dead("order.paid");
        Ran ran = desk.run("dlq redrive 1 --json");
        assertThat(ran.text("result")).isEqualTo("finished");
        assertThat(ran.text("redriven")).isEqualTo("1");
        assertThat(ran.out().lines()).hasSize(1);
    }

    /** A live node without handlers. */
    private Pipeline idle() {
        Pipeline pipeline = Pipeline.on(desk.store)
                .on("no.such.event", event -> {})
                .executor(Runnable::run)
                .node("shop-1")
                .time(desk.time)
                .build();
        pipeline.drain();
        return pipeline;
    }

    @Test
    void a_canary_without_a_handler_halts_with_exit_code_3() {
        idle();
        desk.dead("order.paid");
        desk.dead("order.paid");

        Ran ran = desk.run("dlq redrive --all --yes --canary --stage-limit 1m");

        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.err()).contains("1 of 2 redriven; waiting for a pipeline to handle them");
        assertThat(ran.out()).contains("halted after 1 letter: 1 events have not ended within 1m");
        assertThat(desk.letters()).hasSize(1);
    }

    @Test
    void a_canary_halts_when_the_cause_returns_and_names_the_cause() throws Exception {
        String message = new IOException("connection refused").toString();
        for (int i = 0; i < 20; i++) {
            desk.dead("ui.command.save", "{}", Reason.MAX_ATTEMPTS_EXCEEDED, "IOException", message);
        }
        String cause = Fingerprint.of("IOException", message);

        Ran ran = whileHandled(event -> {
            throw new IOException("connection refused");
        });

        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.out())
                .contains("halted after 1 letter: the same cause returned")
                .contains("redrive dlq list --fingerprint " + cause + " --store orders.db");
        assertThat(desk.letters()).hasSize(20);
    }

    @Test
    void a_canary_redrives_all_letters_when_the_fix_holds() throws Exception {
        for (int i = 0; i < 20; i++) {
            desk.dead("ui.command.save");
        }

        Ran ran = whileHandled(event -> {});

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualToIgnoringNewLines("20 letters redriven");
        assertThat(desk.letters()).isEmpty();
    }

    /** The clock of the command steps a pipeline whenever the command waits. */
    private Ran whileHandled(io.redrive.pipeline.EventAction action) {
        Pipeline pipeline = Pipeline.on(desk.store)
                .on("ui.command.*", action)
                .executor(Runnable::run)
                .time(desk.time)
                .build();
        pipeline.drain();
        SteppingTime stepping = new SteppingTime(desk.time, pipeline);
        Context context = new Context(stepping, desk, new NoTerminal(), java.io.InputStream.nullInputStream());
        return Ran.redrive(context, "dlq", "redrive", "--all", "--yes", "--canary", "--store", "orders.db");
    }

    private StoreStats stats() {
        return desk.store.stats(desk.time.now());
    }
}
