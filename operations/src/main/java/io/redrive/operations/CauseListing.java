package io.redrive.operations;

import io.redrive.events.Causes;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CausePlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects a part of the list of causes. The state of a cause follows from its sightings and from the time, so that no store can
 * select by state. Causes that operators tended are few: all of them are read and sorted. Open causes may be many, and nearly all
 * causes are open: the causes are read in the order of the list until enough are found, or {@link #LOOKED_AT} were read.
 */
final class CauseListing {

    /** The most causes that one call reads for a list with open causes. */
    static final int LOOKED_AT = 1_000;

    private static final int AT_ONCE = 100;

    private final CauseFilter filter;
    private final int limit;
    private final Instant now;
    private final List<Cause> found = new ArrayList<>();
    private Optional<CausePlace> next = Optional.empty();

    CauseListing(CauseFilter filter, int limit, Instant now) {
        if (limit < 1 || limit > Causes.MAX_PAGE) {
            throw new IllegalArgumentException("limit must be between 1 and " + Causes.MAX_PAGE + ", got " + limit);
        }
        this.filter = filter;
        this.limit = limit;
        this.now = now;
    }

    List<Cause> found() {
        return found;
    }

    Optional<CausePlace> next() {
        return next;
    }

    /** Adds the causes that operators decided about or assigned; a cause may be in both lists. */
    void addSorted(List<Cause> decided, List<Cause> assigned, CausePlace after) {
        Map<String, Cause> tended = new LinkedHashMap<>();
        decided.forEach(cause -> tended.put(cause.fingerprint(), cause));
        assigned.forEach(cause -> tended.put(cause.fingerprint(), cause));
        List<Cause> wanted = tended.values().stream()
                .filter(cause -> filter.matches(cause, now))
                .filter(cause -> CausePlace.of(cause).compareTo(after) > 0)
                .sorted(Comparator.comparing(CausePlace::of))
                .toList();
        found.addAll(wanted.subList(0, Math.min(limit, wanted.size())));
        next = wanted.size() > limit ? Optional.of(CausePlace.of(found.get(limit - 1))) : Optional.empty();
    }

    void addPages(Causes causes, CausePlace after) {
        CausePlace at = after;
        // One more than the list shows, which tells whether the list goes on: most causes match.
        int atOnce = Math.min(limit + 1, AT_ONCE);
        for (int looked = 0; looked < LOOKED_AT; looked += atOnce) {
            List<Cause> page = causes.latest(at, atOnce);
            for (Cause cause : page) {
                if (filter.matches(cause, now)) {
                    if (found.size() == limit) {
                        next = Optional.of(CausePlace.of(found.get(limit - 1)));
                        return;
                    }
                    found.add(cause);
                }
            }
            if (page.size() < atOnce) {
                return;
            }
            at = CausePlace.of(page.get(atOnce - 1));
        }
        next = Optional.of(at);
    }
}
