package io.redrive.pipelinefiles;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says that the run is being stopped. Ctrl-C reaches the child processes of a run as well, often before it reaches us; what
 * they do then is no failure of the sample they were at. Thread-safe.
 */
public final class StopSignal {

    private final CountDownLatch raised = new CountDownLatch(1);
    private final List<Runnable> actions = new ArrayList<>();

    /** From now on the run is being stopped. */
    public void raise() {
        List<Runnable> due;
        synchronized (actions) {
            raised.countDown();
            due = List.copyOf(actions);
        }
        due.forEach(Runnable::run);
    }

    /** Does this when it is raised; at once, if it was. */
    public void then(Runnable action) {
        synchronized (actions) {
            actions.add(action);
            if (raised.getCount() > 0) {
                return;
            }
        }
        action.run();
    }

    /** True once the run is being stopped, or if it soon will be. */
    boolean isRaisedWithin(Duration patience) throws InterruptedException {
        return raised.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
