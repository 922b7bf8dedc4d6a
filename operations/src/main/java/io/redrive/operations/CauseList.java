package io.redrive.operations;

import io.redrive.events.cause.CausePlace;
import java.util.List;
import java.util.Optional;

/**
 * A part of the list of causes.
 *
 * @param causes the causes, the one with the latest letter first
 * @param next the place behind which the list goes on; empty at its end
 */
public record CauseList(List<CauseView> causes, Optional<CausePlace> next) {

    /** Copies the causes. */
    public CauseList {
        causes = List.copyOf(causes);
    }

    /** Returns the first causes of a list in its order, with the place of the last of them when there are more. */
    public static CauseList of(List<CauseView> all, int limit) {
        return all.size() <= limit
                ? new CauseList(all, Optional.empty())
                : new CauseList(
                        all.subList(0, limit),
                        Optional.of(CausePlace.of(all.get(limit - 1).cause())));
    }
}
