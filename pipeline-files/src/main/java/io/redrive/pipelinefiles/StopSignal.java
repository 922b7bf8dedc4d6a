package io.redrive.pipelinefiles;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells stages that the run is being stopped. Ctrl-C reaches the child processes of a run too, often before this process; a child
 * process killed by Ctrl-C is not a failure of the sample. Thread-safe.
 */
public final class StopSignal {

    private final CountDownLatch raised = new CountDownLatch(1);
    private final List<Runnable> actions = new ArrayList<>();

    /** Announces that the run is being stopped, and runs the actions. */
    public void raise() {
        List<Runnable> due;
        synchronized (actions) {
            raised.countDown();
            due = List.copyOf(actions);
        }
        due.forEach(Runnable::run);
    }

    /** Runs the action when the signal is raised; at once when the signal has been raised already. */
    public void then(Runnable action) {
        synchronized (actions) {
            actions.add(action);
            if (raised.getCount() > 0) {
                return;
            }
        }
        action.run();
    }

    /** Waits for the signal, at most as long as {@code limit}, and returns true when it has been raised. */
    boolean isRaisedWithin(Duration limit) throws InterruptedException {
        return raised.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
