package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import io.redrive.items.RunListener;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The events that listeners receive. */
final class RunListenerTest {

    private final Rig rig = new Rig();
    private final List<String> heard = new ArrayList<>();

    private final RunListener listener = new RunListener() {
        @Override
        public void onStarted(Started event) {
            heard.add("started " + event.run() + " after " + event.taken());
        }

        @Override
        public void onAttempt(Attempted event) {
            StageCall call = event.call();
            heard.add(call.stage() + " " + call.id() + " #" + call.attempt() + " "
                    + event.status().code() + (event instanceof Attempted.Failed failed ? " " + failed.reason() : ""));
        }

        @Override
        public void onEnded(Ended event) {
            heard.add(event.id() + " " + event.state().code() + " at " + event.stage());
        }

        @Override
        public void onFinished(Finished event) {
            heard.add("finished " + event.run().status().code());
        }
    };

    @Test
    void listeners_receive_all_events_in_order() {
        Stage<String, String> stage = Stage.of("s", null, (text, context) -> switch ((int) context.ordinal()) {
            case 0 -> context.attempt() == 1 ? StageOutcome.failed(Failure.status(429)) : StageOutcome.value(text);
            case 1 -> StageOutcome.skip("no");
            default -> StageOutcome.failed(Failure.kind("broken"));
        });
        rig.finish(rig.run(Rig.pipeline(stage), Rig.numbers(3), builder -> builder.listener(listener)));

        assertThat(heard)
                .startsWith("started run-1 after 0", "s 1 #1 retrying", "s 2 #1 skipped", "2 skipped at 0")
                .contains("s 1 #2 success", "1 succeeded at 1", "s 3 #3 failed max_attempts_exceeded", "3 dead at 0")
                .endsWith("finished partial_success");
    }

    @Test
    void a_listener_that_throws_changes_nothing() {
        RunListener broken = new RunListener() {
            @Override
            public void onAttempt(Attempted event) {
                throw new IllegalStateException("broken listener");
            }

            @Override
            public void onEnded(Ended event) {
                throw new AssertionError("very broken listener");
            }
        };
        RunRecord end = rig.finish(
                rig.run(Rig.pipeline(Stage.map("s", s -> s)), Rig.numbers(3), builder -> builder.listener(broken)));

        assertThat(end.balance().succeeded()).isEqualTo(3);
    }

    @Test
    void the_name_of_a_process_tells_that_it_has_ended() {
        String self = ThisProcess.name();
        String host = self.substring(0, self.indexOf('/'));

        assertThat(ThisProcess.isGone(self)).isFalse();
        assertThat(ThisProcess.isGone(host + "/" + ProcessHandle.current().pid() + "/1"))
                .isTrue();
        assertThat(ThisProcess.isGone(host + "/999999999/1")).isTrue();
        assertThat(ThisProcess.isGone("elsewhere/1/1")).isFalse();
        assertThat(ThisProcess.isGone("a name of its own")).isFalse();
    }

    @Test
    void a_killed_run_is_resumed_without_waiting_for_its_lease() {
        String host = ThisProcess.name().substring(0, ThisProcess.name().indexOf('/'));
        Run killed = rig.run(
                Rig.pipeline(Stage.map("s", s -> s)), Rig.numbers(5), builder -> builder.node(host + "/999999999/1"));
        killed.step();
        rig.runToEnd(Rig.pipeline(Stage.map("s", s -> s)), Rig.numbers(5));

        assertThat(rig.results).hasSize(5);
        assertThat(rig.time.nanos()).isLessThan(RunSettings.STANDARD.lease().toNanos());
    }

    @Test
    void a_policy_that_is_allowed_but_probably_not_meant_is_warned_of_with_its_run_and_stage() {
        Logger logger = Logger.getLogger("io.redrive.items");
        Level before = logger.getLevel();
        List<String> warnings = new ArrayList<>();
        Handler reader = new Handler() {
            @Override
            public void publish(LogRecord told) {
                warnings.add(told.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        RetryPolicy hasty = RetryPolicy.builder()
                .maxAttempts(9)
                .backoff(Backoff.fixed(Duration.ofSeconds(10)))
                .maxDuration(Duration.ofSeconds(15))
                .build();
        Stage<String, String> plain = Stage.of("plain", null, (text, context) -> StageOutcome.value(text));
        Stage<String, String> tuned = Stage.of("tuned", null, (text, context) -> StageOutcome.value(text));
        logger.setLevel(Level.WARNING);
        logger.addHandler(reader);
        try {
            rig.run(Rig.pipeline(plain, tuned.policy(hasty)), Rig.numbers(1)).close();
        } finally {
            logger.removeHandler(reader);
            logger.setLevel(before);
        }
        assertThat(warnings)
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith("run 'run-1': policy of stage 'tuned': attempts 3 to 9 do not fit"))
                .noneMatch(warning -> warning.contains("'plain'"));
    }
}
