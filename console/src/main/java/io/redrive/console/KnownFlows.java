package io.redrive.console;

import io.redrive.events.EventStore;
import io.redrive.pipeline.NodeFlow;
import java.time.Duration;
import java.time.Instant;

/**
 * Knows whether a node has reported a flow, for the navigation. The store is asked at most every five seconds, and a store that
 * fails changes nothing: the navigation is on error pages too. Thread-safe.
 */
final class KnownFlows {

    private static final Duration KEPT = Duration.ofSeconds(5);

    private volatile Answer last = new Answer(false, Instant.MIN);

    private record Answer(boolean any, Instant asked) {}

    boolean any(EventStore store, Instant now) {
        Answer known = last;
        boolean isFresh = !known.asked.equals(Instant.MIN) && now.isBefore(known.asked.plus(KEPT));
        if (isFresh) {
            return known.any;
        }
        last = new Answer(read(store, known.any), now);
        return last.any;
    }

    private static boolean read(EventStore store, boolean before) {
        try {
            return !NodeFlow.of(store.notes()).isEmpty();
        } catch (RuntimeException e) {
            return before;
        }
    }
}
