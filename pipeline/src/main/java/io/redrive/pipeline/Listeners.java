package io.redrive.pipeline;

import io.redrive.core.Failure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Calls all listeners in turn. An exception or error of a listener is logged and has no other effect. Thread-safe. */
final class Listeners {

    private static final Logger LOG = System.getLogger(Listeners.class.getPackageName());

    private final List<PipelineListener> all;

    Listeners(List<PipelineListener> listeners) {
        all = new CopyOnWriteArrayList<>(listeners);
    }

    void add(PipelineListener listener) {
        all.add(listener);
    }

    void tell(Consumer<PipelineListener> event) {
        for (PipelineListener listener : all) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                // Errors too: a broken listener must not end the pipeline's thread.
                warn(
                        "listener " + listener.getClass().getName() + " threw "
                                + e.getClass().getName() + "; ignored",
                        e);
            }
        }
    }

    /** Logs a warning. A log handler and the text of an exception are user code: both may throw, and the text may block. */
    private static void warn(String what, Throwable error) {
        try {
            if (new Failure.Thrown(error, false).isPrintable()) {
                LOG.log(Level.WARNING, what, error);
            } else {
                LOG.log(Level.WARNING, what);
            }
        } catch (Throwable unprintable) {
            try {
                LOG.log(Level.WARNING, what);
            } catch (Throwable broken) {
                // The log is broken: the warning is lost.
            }
        }
    }
}
