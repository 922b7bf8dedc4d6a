package io.redrive.items.run;

import io.redrive.items.RunListener;
import java.util.List;
import java.util.function.Consumer;

/** The listeners of a run. An exception from a listener is logged and changes nothing. */
final class Listeners {

    private final List<RunListener> all;
    private final boolean hearSuccesses;

    Listeners(List<RunListener> listeners) {
        all = List.copyOf(listeners);
        hearSuccesses = all.stream().anyMatch(listener -> !(listener instanceof LoggingListener));
    }

    /** False when only the log listens, which leaves out successes: then no event is made for them. */
    boolean hearSuccesses() {
        return hearSuccesses;
    }

    void tell(Consumer<RunListener> event) {
        for (RunListener listener : all) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                // Errors too: a broken listener must not end the run.
                Warnings.warn("listener " + listener.getClass().getName() + " threw; ignored: ", e);
            }
        }
    }
}
