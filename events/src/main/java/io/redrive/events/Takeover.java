package io.redrive.events;

import java.util.Set;

/**
 * The answer to a {@link TakeoverRequest}.
 *
 * @param bookmark the right to adopt, until the next takeover
 * @param crashes how many owners in a row ended without {@link Adoptions#release} since the log stands at this place
 * @param settled the settled places from the requested place on
 * @param waitingKeys the ordering keys with the requested prefix that have an unfinished event in the store
 */
public record Takeover(Bookmark bookmark, int crashes, Set<Long> settled, Set<String> waitingKeys) {

    /** Copies the sets. */
    public Takeover {
        settled = Set.copyOf(settled);
        waitingKeys = Set.copyOf(waitingKeys);
    }
}
