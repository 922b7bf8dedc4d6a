package io.redrive.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

/** Calls listeners one by one; what one of them throws is logged and stops neither the others nor the work. */
final class Listeners {

    private static final Logger LOG = System.getLogger(Listeners.class.getPackageName());

    private Listeners() {}

    static void tell(List<RetryListener> listeners, Consumer<RetryListener> event) {
        for (RetryListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                if (e instanceof VirtualMachineError fatal) {
                    throw fatal;
                }
                LOG.log(Level.WARNING, "listener " + listener.getClass().getName() + " threw; ignored: " + e, e);
            }
        }
    }
}
