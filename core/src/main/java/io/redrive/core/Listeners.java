package io.redrive.core;

import java.util.List;
import java.util.function.Consumer;

/** Calls listeners in order. An exception of a listener is logged and stops neither the next listener nor the work. */
final class Listeners {

    private Listeners() {}

    static <L> void tell(List<L> listeners, Consumer<? super L> event) {
        for (L listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                if (e instanceof VirtualMachineError fatal) {
                    throw fatal;
                }
                GuardedLog.warn("listener " + listener.getClass().getName() + " threw; ignored: ", e);
            }
        }
    }
}
