package io.redrive.pipelinefiles;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells stages that the run is being stopped. Ctrl-C also reaches the child processes of a run, often before this process; a
 * child process that dies because of Ctrl-C is not a failure of its sample. Thread-safe.
 */
public final class StopSignal {

    private final CountDownLatch raised = new CountDownLatch(1);
    private final List<Runnable> actions = new ArrayList<>();

    /** Raises the signal and runs the registered actions on the calling thread. */
    public void raise() {
        List<Runnable> due;
        synchronized (actions) {
            raised.countDown();
            due = List.copyOf(actions);
        }
        due.forEach(Runnable::run);
    }

    /** Runs {@code action} when the signal is raised, or immediately when the signal is raised already. */
    public void then(Runnable action) {
        synchronized (actions) {
            actions.add(action);
            if (raised.getCount() > 0) {
                return;
            }
        }
        action.run();
    }

    /** Waits up to {@code patience} for the signal; returns true when the signal is raised. */
    boolean isRaisedWithin(Duration patience) throws InterruptedException {
        return raised.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
