package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.OperatorAction;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pausing and resuming names from the command line. */
final class PauseCommandsTest {

    private final LetterDesk desk = new LetterDesk();
    private final List<String> handled = new ArrayList<>();

    private Pipeline shop(boolean broken) {
        return Pipeline.on(desk.store)
                .executor(Runnable::run)
                .time(desk.time)
                .node("shop-1")
                .handle("order.*", event -> {
                    handled.add(event.name());
                    return broken ? Outcome.dead("downstream says no") : Outcome.done();
                })
                .build();
    }

    private Ran failing(String command, int code) {
        Ran ran = desk.run(command);
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
        assertThat(ran.out()).isEmpty();
        return ran;
    }

    @Test
    void a_paused_name_waits_until_it_is_resumed() {
        Ran paused = desk.run("pause order.* --reason maintenance --operator ann");
        assertThat(paused.code()).isZero();
        assertThat(paused.out())
                .contains("order.*  paused until resumed; nodes follow within a second")
                .contains("resume with: redrive resume 'order.*' --store orders.db");
        desk.run("publish --name order.paid --source shop");
        Pipeline shop = shop(false);
        shop.drain();
        desk.time.advance(Duration.ofMinutes(5));
        shop.drain();
        assertThat(handled).isEmpty();
        assertThat(desk.run("pauses").out())
                .isEqualToIgnoringNewLines("order.*  by ann for 5m, until resumed: maintenance");
        assertThat(desk.run("stats").out())
                .contains("paused            1  of the ready and delayed events: their name is paused")
                .contains("pauses            1", "  order.*  by ann for 5m, until resumed: maintenance")
                .doesNotContain("aside", "no handler");
        assertThat(desk.run("resume order.*").out()).isEqualToIgnoringNewLines("order.*  resumed");
        desk.time.advance(Duration.ofSeconds(1));
        shop.drain();
        shop.drain();
        assertThat(handled).containsExactly("order.paid");
        assertThat(desk.run("pauses").out()).isEqualToIgnoringNewLines("no name is paused");
        assertThat(desk.store.deadLetters().actions(10))
                .extracting(OperatorAction::action)
                .containsExactly("resume", "publish", "pause");
        assertThat(desk.run("dlq actions").out()).contains("order.*: maintenance");
    }

    @Test
    void pauses_of_the_pipeline_are_shown_apart() {
        Pipeline shop = shop(true);
        for (int i = 0; i < 25; i++) {
            desk.run("publish --name order.paid --source shop");
            shop.drain();
        }
        desk.run("pause mail.sent --reason maintenance --for 2h --operator ann");
        assertThat(desk.run("pauses").out().lines())
                .containsExactly(
                        "mail.sent  by ann for 0s, ends in 2h: maintenance",
                        "order.paid  by the pipeline for 0s, nearly all its events became dead letters; one event probes in 30s");
        assertThat(desk.run("pauses --json").out().lines().map(line -> line.substring(0, line.indexOf(",\""))))
                .containsExactly("{\"pattern\":\"mail.sent\"", "{\"pattern\":\"order.paid\"");
        assertThat(desk.run("stats --json").out()).contains("\"by\":\"hand\"", "\"by\":\"pipeline\"", "\"paused\":5");
        assertThat(failing("resume order.paid", 1).err())
                .contains("order.paid is not paused by hand; the pipeline paused it, and resumes it after a probe");
    }

    @Test
    void json_names_pattern_operator_reason_and_end() {
        String since = desk.time.now().toString();
        String until = desk.time.now().plusSeconds(7_200).toString();
        String expected =
                "{\"pattern\":\"order.paid\",\"by\":\"hand\",\"operator\":\"ann\",\"reason\":\"x\",\"since\":\"" + since
                        + "\",\"until\":\"" + until + "\"}";
        assertThat(desk.run("pause order.paid --reason x --for 2h --operator ann --json")
                        .out())
                .isEqualToIgnoringNewLines(expected);
        assertThat(desk.run("pauses --json").out()).isEqualToIgnoringNewLines(expected);
        assertThat(desk.run("resume order.paid --json").out()).isEqualToIgnoringNewLines(expected);
    }

    @Test
    void mistakes_are_named_and_change_nothing() {
        assertThat(failing("pause order* --reason x", 2).err())
                .contains("name pattern must be an event name, a prefix such as ml.run.* or *; got");
        assertThat(failing("pause order.paid", 2).err()).contains("--reason");
        assertThat(failing("pause --reason x", 2).err()).contains("NAME");
        assertThat(failing("pause order.paid --reason x --for soon", 2).err())
                .contains("--for: duration must be", "got 'soon'");
        assertThat(failing("pause order.paid --reason x --for -3m", 2).err()).contains("--for: ", "got '-3m'");
        assertThat(failing("pause order.paid --reason x --for 0s", 2).err()).contains("until must be after");
        assertThat(failing("pause order.paid --reason x --for 2h --until 3d", 2).err())
                .contains("--for and --until both name the end of the pause; give one of them");
        assertThat(failing("pause order.paid --reason x --until 2001-01-01", 2).err())
                .contains("--until must be in the future, got 2001-01-01T00:00:00Z");
        assertThat(failing("pause order.paid --reason x --until someday", 2).err())
                .contains("--until must be a time from now such as 3d");
        assertThat(failing("resume order.paid", 1).err())
                .contains("order.paid is not paused by hand; see: redrive pauses --store orders.db");
        assertThat(desk.run("pauses").out()).isEqualToIgnoringNewLines("no name is paused");
        desk.run("pause order.* --reason x");
        assertThat(failing("resume order.paid", 1).err())
                .contains("order.paid is not paused by hand, but order.* is, which includes it");
    }
}
