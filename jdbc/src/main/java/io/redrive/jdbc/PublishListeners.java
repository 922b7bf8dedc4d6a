package io.redrive.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who wants to know that events were published. */
final class PublishListeners {

    private static final Logger LOG = System.getLogger(PublishListeners.class.getName());

    private final String store;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** For the store of this name. */
    PublishListeners(String store) {
        this.store = store;
    }

    void add(Runnable wake) {
        listeners.add(Objects.requireNonNull(wake, "wake"));
    }

    /** The events are stored by now: a listener that throws must not make their publisher believe otherwise. */
    void wake() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "store " + store + ": a listener for published events failed", e);
            }
        }
    }
}
