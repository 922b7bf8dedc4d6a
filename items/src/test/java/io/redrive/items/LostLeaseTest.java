package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A process that was taken for dead and was not. */
final class LostLeaseTest {

    private final Rig rig = new Rig();
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean holding;

    @Test
    void the_sink_is_opened_anew_only_when_nobody_writes_to_it_any_more() {
        Lines sink = new Lines();
        Stage<String, String> last = Stage.map("last", value -> {
            holding = sink.opened == 1 && value.equals("s2");
            return value;
        });
        Run run = rig.run(
                Rig.pipeline(last), Rig.numbers(3), builder -> builder.to(sink).executor(this::execute));
        while (held.isEmpty()) {
            run.step();
        }
        WorkerRecord worker = rig.store.archive().workers("run-1").get(0);
        rig.store.leave(worker.lease(), RunStatus.STOPPED, rig.time.now());
        rig.time.advance(Duration.ofSeconds(10));

        assertThat(run.step()).as("finds that its lease is lost").isTrue();
        assertThat(run.step()).as("waits for the thread at the sink").isFalse();
        assertThat(sink.opened).isEqualTo(1);

        holding = false;
        held.remove().run();
        rig.finish(run);

        assertThat(sink.opened).isEqualTo(2);
        assertThat(sink.lines).containsExactly("s0", "s1", "s2");
    }

    private void execute(Runnable task) {
        if (holding) {
            held.add(task);
        } else {
            task.run();
        }
    }

    /** Takes back what was written after the position it is opened at. */
    private static final class Lines implements Sink<String> {

        private final List<String> lines = new ArrayList<>();
        private int opened;

        @Override
        public String name() {
            return "lines";
        }

        @Override
        public String open(Optional<String> position) {
            opened++;
            int kept = position.map(Integer::parseInt).orElse(0);
            lines.subList(kept, lines.size()).clear();
            return Integer.toString(kept);
        }

        @Override
        public String write(List<Result<String>> results) {
            results.forEach(result -> lines.add(result.value()));
            return Integer.toString(lines.size());
        }

        @Override
        public void close() {}
    }
}
