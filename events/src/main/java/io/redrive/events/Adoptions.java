package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Takes events of a log into the store, each place at most once, from one owner at a time. Thread-safe.
 *
 * <p>The log remembers how far its records are finished, and the store remembers which of them it adopted. An owner
 * adopts first and finishes the record in the log afterwards. A process that dies in between leaves the place settled,
 * and the next owner skips it.
 *
 * <p>A call that throws may or may not have taken effect; every call may be repeated.
 */
public interface Adoptions {

    /** The most adoptions of one call. */
    int MAX_ADOPTIONS = 10_000;

    /**
     * Makes the caller the owner of a bookmark: raises the epoch, so that adoptions of the owner before are refused from now
     * on, and then reads the places settled so far. Creates a bookmark that does not exist.
     */
    Takeover takeOver(TakeoverRequest request, Instant now);

    /**
     * Adopts all events or none, in one transaction. The epoch of the bookmark is compared first. Each place is settled at
     * most once: an adoption of a settled place changes nothing.
     *
     * <p>An event with an ordering key waits behind the stored events of its key.
     *
     * @throws IllegalArgumentException for more than {@link #MAX_ADOPTIONS} adoptions, or when a payload exceeds the limit
     *     of the store
     */
    AdoptionResult adopt(Bookmark bookmark, Collection<Adoption> adoptions, Instant now);

    /**
     * Adopts events of several bookmarks, as {@link #adopt} does for each. A store with durable transactions uses one transaction,
     * because each transaction waits for the disk. A bookmark with another epoch keeps no other bookmark from adopting.
     *
     * @return the results in the order of {@code all}
     * @throws IllegalArgumentException as {@link #adopt} does
     */
    default List<AdoptionResult> adoptAll(List<BookmarkedAdoptions> all, Instant now) {
        return all.stream()
                .map(each -> adopt(each.bookmark(), each.adoptions(), now))
                .toList();
    }

    /** Returns the keys among {@code orderingKeys} that have an unfinished event in the store. */
    Set<String> waiting(Collection<String> orderingKeys);

    /**
     * Says that the owner leaves in good order, so that the next takeover counts no crash.
     *
     * @return false, without a change, when the bookmark has another epoch
     */
    boolean release(Bookmark bookmark);

    /**
     * Forgets settled places that the log has finished for good.
     *
     * @param below forgets places lower than this place
     * @param age forgets only places that were settled at least this long ago
     * @return the number of forgotten places; zero when the bookmark has another epoch
     */
    int prune(Bookmark bookmark, long below, Duration age, Instant now);

    /** Returns true when processes on several machines can use this store. */
    boolean isShared();
}
