package io.redrive.spring;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Defers events published inside a transaction until the commit, and publishes the deferred events together. */
final class AfterCommitRoute implements PublishRoute {

    private final PublishRoute route;

    AfterCommitRoute(PublishRoute route) {
        this.route = route;
    }

    @Override
    public List<Publication> publish(List<Event> events) {
        if (!isInTransaction()) {
            return route.publish(events);
        }
        deferred().events.addAll(events);
        return Collections.nCopies(events.size(), Publication.AFTER_COMMIT);
    }

    static boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    private DeferredEvents deferred() {
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof DeferredEvents mine && mine.route == route) {
                return mine;
            }
        }
        DeferredEvents fresh = new DeferredEvents(route);
        TransactionSynchronizationManager.registerSynchronization(fresh);
        return fresh;
    }

    private static final class DeferredEvents implements TransactionSynchronization {
        private final PublishRoute route;
        private final List<Event> events = new ArrayList<>();
        private final Map<Object, Integer> sizes = new HashMap<>();

        DeferredEvents(PublishRoute route) {
            this.route = route;
        }

        @Override
        public void savepoint(Object savepoint) {
            sizes.put(savepoint, events.size());
        }

        /** An unknown savepoint is older than the first event. */
        @Override
        public void savepointRollback(Object savepoint) {
            events.subList(sizes.getOrDefault(savepoint, 0), events.size()).clear();
        }

        @Override
        public void afterCommit() {
            leave();
        }

        /** Publishes the events that synchronizations after this one published in {@code afterCommit}. */
        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED) {
                leave();
            }
        }

        private void leave() {
            List<Event> leaving = List.copyOf(events);
            events.clear();
            for (int from = 0; from < leaving.size(); from += EventStore.MAX_PUBLISH) {
                route.publish(leaving.subList(from, Math.min(leaving.size(), from + EventStore.MAX_PUBLISH)));
            }
        }
    }
}
