package io.redrive.operations;

import io.redrive.events.Causes;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.ServiceVersion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** What an operator may know and do about the causes of dead letters. Thread-safe. */
public interface CauseOperations {

    /**
     * Returns causes, the one with the latest letter first.
     *
     * @param limit the most causes to return, up to {@link Causes#MAX_PAGE}
     */
    default List<CauseView> latest(int limit) {
        return latest(CausePlace.START, limit);
    }

    /** {@link #latest(int)} behind a place: the next page of a list. */
    List<CauseView> latest(CausePlace after, int limit);

    /**
     * Returns causes of some states, the one with the latest letter first.
     *
     * @param after the place behind which the list goes on; {@link CausePlace#START} for its beginning
     * @param limit the most causes to return, up to {@link Causes#MAX_PAGE}
     * @return the causes; fewer than the limit, with a next place, when a look at many causes found few of the wanted states
     */
    CauseList list(CauseFilter filter, CausePlace after, int limit);

    /** Returns the cause with this fingerprint, also one that was merged into another cause. */
    Optional<CauseView> find(String fingerprint);

    /**
     * Compares the newest letters of a cause with handled events of the same names: the payload fields, headers, sources, times,
     * nodes and versions that separate them. Needs a sample of handled events, which nodes keep while the journal of their store is
     * on.
     *
     * @return the differences; empty when no cause has this fingerprint
     */
    Optional<CauseDifferences> differences(String fingerprint);

    /** Returns whether the letters of a resolved cause may be redriven as a canary. */
    FixState fix(CauseView view);

    /**
     * Names the owner of a cause, and opens an ignored or resolved cause.
     *
     * @param owner the person who works on the cause; empty to leave the cause to anybody
     * @return the cause after the change; empty when no cause has this fingerprint
     */
    Optional<CauseView> assign(String fingerprint, String owner);

    /**
     * Replaces the note of a cause.
     *
     * @param text the new note; empty to remove the note
     * @return the cause after the change; empty when no cause has this fingerprint
     */
    Optional<CauseView> note(String fingerprint, String text);

    /**
     * Replaces the link to the ticket of a cause.
     *
     * @param link the new link; empty to remove the link
     * @return the cause after the change; empty when no cause has this fingerprint
     */
    Optional<CauseView> ticket(String fingerprint, String link);

    /**
     * Calls a cause resolved. A later letter from a node with the fix makes the cause regressed and raises an alert.
     *
     * @param fixedIn the version of the service with the fix; empty when the fix is not in the service
     * @return the cause after the change; empty when no cause has this fingerprint
     */
    Optional<CauseView> resolve(String fingerprint, Optional<ServiceVersion> fixedIn);

    /**
     * Silences a cause: its letters raise no alert.
     *
     * @param until open again from this time on; empty for no end by time
     * @param letters open again after this many more letters; empty for no end by number
     * @return the cause after the change; empty when no cause has this fingerprint
     */
    Optional<CauseView> ignore(String fingerprint, Optional<Instant> until, OptionalLong letters);

    /**
     * Opens a cause again.
     *
     * @return the cause after the change; empty when no cause has this fingerprint
     */
    Optional<CauseView> reopen(String fingerprint);

    /**
     * Merges a cause into another: letters of {@code from}, past and future, count for {@code into}. Repeating a merge that was
     * interrupted completes it.
     *
     * @param progress is told the number of moved letters after each step
     * @return the number of moved letters
     * @throws IllegalArgumentException when a cause is unknown, or the causes cannot be merged
     */
    long merge(String from, String into, LongConsumer progress);
}
