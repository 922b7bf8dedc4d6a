package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.OperatorAction;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on redrive operations. */
final class OperationsCommandsTest {

    private final LetterDesk desk = new LetterDesk();

    private String started(int letters, String... options) {
        for (int i = 0; i < letters; i++) {
            desk.dead("order.paid");
        }
        return desk.run("dlq redrive --all --yes --no-wait --json --operator ada", options)
                .text("id");
    }

    private Pipeline node() {
        Pipeline node = Pipeline.on(desk.store)
                .on("order.*", event -> {})
                .executor(Runnable::run)
                .node("shop-1")
                .time(desk.time)
                .build();
        node.drain();
        return node;
    }

    private void second(Pipeline node) {
        desk.time.advance(Duration.ofSeconds(1));
        node.drain();
    }

    @Test
    void operations_are_listed_with_their_progress() {
        assertThat(desk.run("operations list").out()).contains("no redrive operations");
        Pipeline node = node();
        String id = started(3, "--canary");
        second(node);

        assertThat(desk.run("operations list").out()).contains(id, "canary running", "ada", "all letters");
        Ran json = desk.run("operations list --json");
        assertThat(json.text("id")).isEqualTo(id);
        assertThat(json.text("state")).isEqualTo("running");
        assertThat(json.text("redriven")).isEqualTo("1");
        assertThat(json.text("pending")).isEqualTo("2");
    }

    @Test
    void an_operation_is_shown_with_its_causes_and_its_letters() {
        Pipeline node = node();
        String id = started(2, "--canary", "--rate", "50/s");
        second(node);
        second(node);

        assertThat(desk.run("operations show " + id).out())
                .contains("operation " + id + "  running")
                .contains("2 of all letters")
                .contains("canary, stage 2 of 4, at most 50.0 letters per second")
                .contains("ada (command line")
                .contains("by shop-1")
                .contains("2 of "
                        + desk.store
                                .redrives()
                                .find(id)
                                .orElseThrow()
                                .causes()
                                .selected()
                                .keySet()
                                .iterator()
                                .next());
        assertThat(desk.run("operations show " + id + " --letters").out()).contains("done", "redriven");
        assertThat(desk.run("operations show " + id + " --letters --json --limit 1")
                        .text("result"))
                .isEqualTo("done");
        assertThat(desk.run("operations show " + id + " --json").text("state")).isEqualTo("running");
    }

    @Test
    void an_operation_is_paused_resumed_cancelled_and_dismissed() {
        Pipeline node = node();
        String id = started(5, "--rate", "1/s");
        second(node);

        assertThat(desk.run("operations pause " + id + " --operator bob").out())
                .isEqualToIgnoringNewLines("operation " + id + " is paused, 1 of 5 redriven: 1 under way");
        second(node);
        second(node);
        assertThat(desk.letters()).hasSize(4);
        assertThat(desk.run("operations resume " + id + " --no-wait --operator bob")
                        .out())
                .contains("is running, 1 of 5 redriven: 1 done");
        second(node);
        assertThat(desk.run("operations cancel " + id + " --operator bob --json")
                        .text("state"))
                .isEqualTo("cancelled");
        assertThat(desk.run("operations dismiss " + id + " --operator bob").out())
                .contains("dismissed");
        assertThat(desk.run("operations list --json").out()).isEmpty();
        assertThat(desk.store.deadLetters().actions(10))
                .extracting(OperatorAction::action)
                .containsExactly("dismiss-redrive", "cancel-redrive", "resume-redrive", "pause-redrive", "redrive");
        assertThat(desk.run("dlq actions --action pause-redrive").out()).contains("bob");
    }

    @Test
    void resume_follows_to_the_end() {
        String id = started(3);
        assertThat(desk.run("operations resume " + id).out()).isEqualToIgnoringNewLines("3 letters redriven");
        assertThat(desk.letters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "pause", "resume", "cancel", "dismiss"})
    void an_unknown_operation_is_a_failure(String command) {
        Ran ran = desk.run("operations " + command + " r-none");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("no redrive operation has the id", "see: redrive operations list");
    }

    @Test
    void a_change_that_the_state_forbids_is_a_failure_with_a_remedy() {
        String id = started(1);
        Ran ran = desk.run("operations dismiss " + id);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("is running and cannot be dismissed; cancel it first");
    }
}
