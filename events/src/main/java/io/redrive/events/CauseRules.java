package io.redrive.events;

import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import java.time.Instant;
import java.util.Optional;

/** Rules for changes of causes, the same for every store. */
public final class CauseRules {

    private CauseRules() {}

    static void requirePage(int limit) {
        if (limit < 1 || limit > Causes.MAX_PAGE) {
            throw new IllegalArgumentException("limit must be between 1 and " + Causes.MAX_PAGE + ", got " + limit);
        }
    }

    /**
     * Refuses to change a cause whose letters count for another cause.
     *
     * @throws IllegalArgumentException when the cause is merged
     */
    public static void requireOwn(Cause cause) {
        cause.mergedInto().ifPresent(into -> {
            throw new IllegalArgumentException(
                    "cause " + cause.fingerprint() + " is merged into cause " + into + "; change that cause instead");
        });
    }

    /**
     * Returns the cause, if there is one.
     *
     * @throws IllegalArgumentException when no cause has this fingerprint
     */
    public static Cause requireKnown(String fingerprint, Optional<Cause> cause) {
        return cause.orElseThrow(
                () -> new IllegalArgumentException("no cause has the fingerprint '" + fingerprint + "'"));
    }

    /**
     * Refuses a merge of a cause into itself or into a merged cause.
     *
     * @throws IllegalArgumentException when the causes cannot be merged
     */
    public static void requireMergeable(Cause from, Cause into) {
        String source = from.fingerprint();
        if (source.equals(into.fingerprint())) {
            throw new IllegalArgumentException("a cause cannot be merged into itself, got " + source + " twice");
        }
        requireOwn(into);
        from.mergedInto().filter(other -> !other.equals(into.fingerprint())).ifPresent(other -> {
            throw new IllegalArgumentException("cause " + source + " is merged into cause " + other + " already");
        });
    }

    /** Returns a change and the state before, in words, for the record of actions. */
    public static String outcome(Cause before, CauseChange change, Instant now) {
        return change.describe() + "; before: " + before.status(now).code();
    }
}
