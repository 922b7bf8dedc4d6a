package io.redrive.events;

import java.util.List;

/**
 * The result of {@link EventStore#publish(List, ImmediateClaim, java.time.Instant)}.
 *
 * @param results one result for each event, in order
 * @param claims the claims of events that were claimed at once, in the order of the events
 */
public record PublishedEvents(List<PublishResult> results, List<Claim> claims) {

    /** Copies the lists. */
    public PublishedEvents {
        results = List.copyOf(results);
        claims = List.copyOf(claims);
    }

    /** Returns true when at least one event was stored and waits to be claimed. */
    public boolean leavesWork() {
        int accepted = 0;
        for (PublishResult result : results) {
            accepted += result.isDuplicate() ? 0 : 1;
        }
        return accepted > claims.size();
    }
}
