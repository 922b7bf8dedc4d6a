package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Remembers runs: how far the source was read, every sample that has no end yet, and the audit trail. Stores are told the
 * time and never look at a clock. Thread-safe.
 *
 * <p>A process joins a run and gets a lease; it claims samples, works on them and commits what became of them, many at a
 * time. When it dies, its lease runs out and whoever joins or extends next sets its samples free. From then on its token
 * is stale, and nothing it says counts any more.
 */
public interface RunStore extends AutoCloseable {

    /** Creates the run, or finds it when it exists with the same pipeline and stages; else refuses. */
    RunRecord open(RunDefinition definition, Instant now);

    /** Joins the run, which is {@link RunStatus#RUNNING} from now on. */
    Lease join(String run, String node, Duration lease, Instant now);

    /**
     * Takes samples that are ready and due and that nobody holds, the longest due first. At {@link Instant#MAX} those that
     * are not due as well, in the order of the source.
     *
     * @param number of this lease's claims, from 1; the same number again gives the same samples, for a caller whose answer
     *     was lost
     */
    List<SampleRecord> claim(Lease lease, long number, int max, Instant now);

    /** Stores what was done; the run as it stands afterwards, or empty when the lease is stale and nothing changed. */
    Optional<RunRecord> commit(Commit commit, Instant now);

    /**
     * Keeps the lease, and sets free what others left whose lease ran out.
     *
     * @param reads true to become the one who reads the source, if nobody is
     * @return the run as it stands, or empty when the lease is stale
     */
    Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now);

    /**
     * Ends the run with a final status, if every sample has its end, and the lease with it; else changes nothing.
     *
     * @return the run as it stands afterwards, or empty when the lease is stale
     */
    Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now);

    /**
     * Gives back what is claimed and ends the lease. The run gets {@code status} when it is still running and either
     * nobody else is at it or the status is not {@link RunStatus#STOPPED}; a stale lease changes nothing.
     */
    void leave(Lease lease, RunStatus status, Instant now);

    /**
     * Ends a lease whose process is known to be gone, as if the lease had run out: sets free what the process held. A stale
     * lease changes nothing.
     */
    void evict(Lease lease);

    /** How far this sink of the run was written. */
    Optional<String> sinkPosition(String run, String sink);

    /** What people ask about runs, and do to them. */
    RunArchive archive();

    @Override
    void close();
}
