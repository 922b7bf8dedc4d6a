package io.redrive.spring.actors;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Ends actors after those who talk to them (web server, pipeline), and before the beans they use. They need no start: the
 * first message does that.
 */
final class ActorsLifecycle implements SmartLifecycle {

    /** The web server is at 2048 below. */
    private static final int PHASE = DEFAULT_PHASE - 4096;

    private static final Log LOG = LogFactory.getLog(ActorsLifecycle.class);

    private final Ending ending;
    private final AtomicBoolean running = new AtomicBoolean();

    /** Returns when actors are gone. */
    @FunctionalInterface
    interface Ending {
        void end() throws Exception;
    }

    ActorsLifecycle(Ending ending) {
        this.ending = ending;
    }

    @Override
    public void start() {
        running.set(true);
    }

    @Override
    public void stop() {
        if (running.compareAndSet(true, false)) {
            try {
                ending.end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.warn("actors did not end in time; going on without them", e);
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** What was ended does not start again. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
