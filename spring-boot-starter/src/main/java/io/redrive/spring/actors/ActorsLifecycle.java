package io.redrive.spring.actors;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Stops actors after the senders of messages (web server, pipeline), and before the beans used by actors. Starts no actor:
 * the first message to an actor does.
 */
final class ActorsLifecycle implements SmartLifecycle {

    /** Below the phase of the web server, {@code DEFAULT_PHASE - 2048}, and so stopped later. */
    private static final int PHASE = DEFAULT_PHASE - 4096;

    private static final Log LOG = LogFactory.getLog(ActorsLifecycle.class);

    private final Shutdown shutdown;
    private final AtomicBoolean running = new AtomicBoolean();

    /** Stops the actors and returns when all have stopped. */
    @FunctionalInterface
    interface Shutdown {
        void run() throws Exception;
    }

    ActorsLifecycle(Shutdown shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public void start() {
        running.set(true);
    }

    @Override
    public void stop() {
        if (running.compareAndSet(true, false)) {
            try {
                shutdown.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.warn(
                        "actors did not stop within redrive.actors.stop-limit; the application goes on with its own stop",
                        e);
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

    /** A terminated actor system cannot be started again. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
