package io.redrive.events.cause;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The last decision of an operator about a cause. */
public sealed interface Stance {

    /** The stance of a cause that nobody has decided about. */
    Stance OPEN = new Open();

    /** The cause is to be worked on. */
    record Open() implements Stance {}

    /**
     * The cause is fixed.
     *
     * @param at when an operator said so
     * @param fixedIn the version of the service with the fix; empty when the fix is not in the service, so that any later letter
     *     is a regression
     */
    record Resolved(Instant at, Optional<ServiceVersion> fixedIn) implements Stance {}

    /**
     * The cause raises no alert. Without a date and a number of letters, for ever.
     *
     * @param until the cause is open again from this time on
     * @param letters the cause is open again after this many more letters
     * @param seenBefore the number of letters of the cause when an operator said so
     */
    record Ignored(Optional<Instant> until, OptionalLong letters, long seenBefore) implements Stance {}
}
