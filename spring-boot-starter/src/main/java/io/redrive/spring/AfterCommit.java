package io.redrive.spring;

import io.redrive.events.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Keeps events back until the transaction of the moment has committed; then they are published together. */
final class AfterCommit implements PublishRoute {

    private final PublishRoute route;

    AfterCommit(PublishRoute route) {
        this.route = route;
    }

    @Override
    public List<Publication> publish(List<Event> events) {
        if (!isInTransaction()) {
            return route.publish(events);
        }
        keptBack().add(events);
        return Collections.nCopies(events.size(), Publication.AFTER_COMMIT);
    }

    static boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    private KeptBack keptBack() {
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof KeptBack mine && mine.route == route) {
                return mine;
            }
        }
        KeptBack fresh = new KeptBack(route);
        TransactionSynchronizationManager.registerSynchronization(fresh);
        return fresh;
    }

    private static final class KeptBack implements TransactionSynchronization {
        private final PublishRoute route;
        private final List<Event> events = new ArrayList<>();

        KeptBack(PublishRoute route) {
            this.route = route;
        }

        void add(List<Event> more) {
            events.addAll(more);
        }

        @Override
        public void afterCommit() {
            List<Event> all = List.copyOf(events);
            events.clear();
            route.publish(all);
        }
    }
}
