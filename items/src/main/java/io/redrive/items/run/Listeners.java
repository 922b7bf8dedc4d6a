package io.redrive.items.run;

import io.redrive.items.RunListener;
import java.util.List;
import java.util.function.Consumer;

/** Calls listeners one by one; what one of them throws is logged and changes nothing. */
final class Listeners {

    private final List<RunListener> all;
    private final boolean eachSample;

    Listeners(List<RunListener> listeners) {
        all = List.copyOf(listeners);
        eachSample = all.stream().anyMatch(listener -> !(listener instanceof LoggingListener));
    }

    /** False when nobody wants to hear of attempts that just succeeded: then nothing is made for them. */
    boolean hearSuccesses() {
        return eachSample;
    }

    void tell(Consumer<RunListener> event) {
        for (RunListener listener : all) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                // Whatever it is: a broken listener must not take the run with it.
                Warnings.warn("listener " + listener.getClass().getName() + " threw; ignored: ", e);
            }
        }
    }
}
