package io.redrive.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listeners of {@link io.redrive.events.EventStore#onPublished}. */
final class PublishListeners {

    private static final Logger LOG = System.getLogger(PublishListeners.class.getName());

    private final String store;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Messages name {@code store}. */
    PublishListeners(String store) {
        this.store = store;
    }

    void add(Runnable wake) {
        listeners.add(Objects.requireNonNull(wake, "wake"));
    }

    /**
     * Runs all listeners. The events are stored by now: a listener's exception is logged and must not reach the
     * publisher.
     */
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
