package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.RateLimit;
import io.redrive.items.Result;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.WorkerRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A live process whose lease the store took away. */
final class LostLeaseTest {

    private final Rig rig = new Rig();
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean holding;

    @Test
    void the_sink_is_opened_again_only_after_the_last_write_of_the_lost_lease() {
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
        loseLease();

        assertThat(run.step()).as("finds that its lease is lost").isTrue();
        assertThat(run.step()).as("waits for the thread at the sink").isFalse();
        assertThat(sink.opened).isEqualTo(1);

        holding = false;
        held.remove().run();
        assertThat(sink.lines).as("written under the lost lease").isEmpty();
        rig.finish(run);

        assertThat(sink.opened).isEqualTo(2);
        assertThat(sink.lines).containsExactly("s0", "s1", "s2");
    }

    @Test
    void calls_that_no_worker_has_begun_are_not_made_any_more() {
        List<String> begun = new ArrayList<>();
        Stage<String, String> stage = Stage.map("s", text -> {
            begun.add(text);
            return text;
        });
        SampleSource<String> source = SampleSource.stream(() -> {
            holding = true;
            return Stream.of("s0", "s1", "s2");
        });
        Run run = rig.run(Rig.pipeline(stage), source, builder -> builder.executor(this::execute));
        while (held.isEmpty()) {
            run.step();
        }
        loseLease();
        assertThat(run.step()).as("finds that its lease is lost").isTrue();
        held.forEach(Runnable::run);

        assertThat(begun).isEmpty();
    }

    @Test
    void a_process_that_joins_again_does_not_resume_a_cancelled_run() {
        Run run = rig.run(
                Rig.pipeline(Stage.<String>map("s", text -> text).rateLimit(RateLimit.perMinute(1))), Rig.numbers(10));
        run.drain();
        loseLease();
        Lease other = rig.store.join("run-1", "other", Duration.ofSeconds(30), rig.time.now());
        rig.store.archive().cancel("run-1", rig.time.now());
        rig.store.leave(other, RunStatus.CANCELLED, rig.time.now());
        RunRecord end = rig.finish(run);

        assertThat(end.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(rig.results).hasSizeLessThan(2);
    }

    private void loseLease() {
        WorkerRecord worker = rig.store.archive().workers("run-1").get(0);
        rig.store.leave(worker.lease(), RunStatus.STOPPED, rig.time.now());
        rig.time.advance(Duration.ofSeconds(10));
    }

    private void execute(Runnable task) {
        if (holding) {
            held.add(task);
        } else {
            task.run();
        }
    }

    /** A sink which removes results beyond the position of its opening. */
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
