package io.redrive.cli.stages;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says that the run is being stopped. Ctrl-C reaches the child processes of a run as well, often before it reaches us; what
 * they do then is no failure of the sample they were at. Thread-safe.
 */
public final class StopSignal {

    private final CountDownLatch raised = new CountDownLatch(1);

    /** From now on the run is being stopped. */
    public void raise() {
        raised.countDown();
    }

    /** True once the run is being stopped, or if it soon will be. */
    boolean isRaisedWithin(Duration patience) throws InterruptedException {
        return raised.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
