package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
    void ids_and_a_limit_choose_too() {
        for (int i = 0; i < 5; i++) {
            desk.dead("order.paid");
        }

        assertThat(desk.run("dlq redrive 2 4").out()).isEqualToIgnoringNewLines("2 letters redriven");
        assertThat(desk.run("dlq redrive --all --limit 1").out()).isEqualToIgnoringNewLines("1 letter redriven");
        assertThat(desk.letters()).extracting(letter -> letter.id()).containsExactly(3L, 5L);
    }

    @Test
    void redriving_nothing_in_particular_is_wrong_input() {
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

        Ran ran = desk.run("dlq redrive --all --rate 10/s");

        assertThat(ran.out()).isEqualToIgnoringNewLines("30 letters redriven");
        assertThat(Duration.between(before, desk.time.now())).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "0", "10/d", "-1/s"})
    void a_rate_that_is_none_is_wrong_input(String rate) {
        desk.dead("order.paid");

        assertThat(desk.run("dlq redrive --all", "--rate=" + rate).code()).isEqualTo(2);
        assertThat(desk.letters()).hasSize(1);
    }

    @Test
    void a_canary_that_nobody_handles_halts_with_exit_code_3() {
        desk.dead("order.paid");
        desk.dead("order.paid");

        Ran ran = desk.run("dlq redrive --all --canary --stage-limit 1m");

        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.err()).contains("1 of 2 redriven; waiting for a pipeline to handle them");
        assertThat(ran.out()).contains("halted after 1 letter: 1 events have not ended within 1m");
        assertThat(desk.letters()).hasSize(1);
    }

    @Test
    void a_canary_halts_when_the_cause_returns_and_names_it() throws Exception {
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
    void a_canary_brings_everything_back_when_the_fix_holds() throws Exception {
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
        SteppingTime stepping = new SteppingTime(desk.time, pipeline);
        Context context = new Context(stepping, desk, new NoTerminal(), java.io.InputStream.nullInputStream());
        return Ran.redrive(context, "dlq", "redrive", "--all", "--canary", "--store", "orders.db");
    }

    private StoreStats stats() {
        return desk.store.stats(desk.time.now());
    }
}
