package io.redrive.pipeline;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Calls listeners one by one; what one of them throws is logged and changes nothing. */
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
            } catch (RuntimeException | Error e) {
                // An error too: a broken listener must not take the pipeline's thread with it.
                LOG.log(Level.WARNING, "listener " + listener.getClass().getName() + " threw; ignored: " + e, e);
            }
        }
    }
}
