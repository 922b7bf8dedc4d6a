package io.redrive.operations;

import io.redrive.events.cause.ServiceVersion;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/** Whether the nodes that handle the events of a resolved cause have the fix, so that its letters may be redriven as a canary. */
public sealed interface FixState {

    /** The cause is not resolved, or has no letters: there is nothing to redrive. */
    record NotApplicable() implements FixState {}

    /** No live node has a handler for these names. */
    record NoNode(List<String> names) implements FixState {}

    /**
     * Some nodes have an earlier version.
     *
     * @param fixedIn the version with the fix
     * @param older the earlier version of each node
     * @param unknown the nodes that report no version
     */
    record Pending(ServiceVersion fixedIn, SortedMap<String, ServiceVersion> older, SortedSet<String> unknown)
            implements FixState {}

    /** All nodes that handle the events have the fix: a canary of the letters is due. */
    record CanaryDue() implements FixState {}
}
