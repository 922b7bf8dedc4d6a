package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.Stage;
import io.redrive.items.store.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stop of a run: it waits for calls under way, and for a limited time. */
@Timeout(60)
final class StopTest {

    private final Rig rig = new Rig();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private int tasks;

    @Test
    void calls_that_have_begun_may_finish() throws InterruptedException {
        Run run = withCallUnderWay();
        run.stop();
        run.drain();
        assertThat(run.isOver()).isFalse();
        finishCall();
        rig.finish(run);

        assertThat(rig.results).containsExactly("s0");
    }

    @Test
    void a_stopping_run_can_be_cancelled() throws InterruptedException {
        Run run = withCallUnderWay();
        run.stop();
        run.drain();
        run.cancel();
        finishCall();

        assertThat(rig.finish(run).status()).isEqualTo(RunStatus.CANCELLED);
    }

    private Run withCallUnderWay() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
            begun.countDown();
            goOn.await();
            return text;
        });
        Run run = rig.run(
                Rig.pipeline(stage.concurrency(1)), Rig.numbers(2), builder -> builder.executor(this::workersBeside));
        run.drain();
        threads.get(0).start();
        begun.await();
        return run;
    }

    private void finishCall() throws InterruptedException {
        goOn.countDown();
        threads.get(0).join();
    }

    @Test
    void calls_that_no_worker_has_begun_are_left_for_another_time() {
        Run run = rig.run(
                Rig.pipeline(Stage.map("s", (String text) -> text).concurrency(1)),
                Rig.numbers(1),
                builder -> builder.executor(this::workersBeside));
        run.drain();
        run.stop();
        run.drain();

        assertThat(run.isOver()).isTrue();
        assertThat(threads).hasSize(1);
    }

    /** Runs the second task, which is the stage's call: the first reads the source, the third writes results. */
    private void workersBeside(Runnable task) {
        tasks++;
        if (tasks == 2) {
            threads.add(new Thread(task));
        } else {
            task.run();
        }
    }
}
