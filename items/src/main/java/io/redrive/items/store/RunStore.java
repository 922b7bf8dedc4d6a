package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps runs: the position in the source, the samples and the audit trail. Callers pass the time; a store never looks at a
 * clock. Implementations are thread-safe.
 *
 * <p>A process joins a run and receives a lease. The process claims samples, calls their stages and commits the changes of
 * many samples at a time. The lease of a dead process expires; the next process that joins or extends its own lease frees the
 * claims of the dead process. From then on the token of the expired lease is stale, and requests with the token change nothing.
 */
public interface RunStore extends AutoCloseable {

    /**
     * Creates the run, or returns the existing run.
     *
     * @throws IllegalArgumentException when the run exists with another pipeline or other stages
     */
    RunRecord open(RunDefinition definition, Instant now);

    /**
     * Gives a process a lease, sets the run to {@link RunStatus#RUNNING}, and frees the claims of expired leases.
     *
     * @param node the name of the process, for people
     * @param lease the time until the lease expires, unless extended
     */
    Lease join(String run, String node, Duration lease, Instant now);

    /**
     * Claims up to {@code max} pending samples that are due and not claimed, the longest due first. With {@link Instant#MAX}
     * as time, also claims samples that are not due, in the order of the source.
     *
     * @param number the number of the claim within the lease, from 1; a repeated number returns the same samples again, for a
     *     caller that lost the first reply
     * @return the claimed samples; none when the lease is stale
     */
    List<SampleRecord> claim(Lease lease, long number, int max, Instant now);

    /** Stores a commit and returns the run after the commit, or empty when the lease is stale and nothing changed. */
    Optional<RunRecord> commit(Commit commit, Instant now);

    /**
     * Extends the lease, and frees the claims of expired leases.
     *
     * @param length the time from {@code now} until the lease expires
     * @param reads true to make the process the reader of the source, if the run has no reader
     * @return the current run, or empty when the lease is stale
     */
    Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now);

    /**
     * Ends the run with a final status, and the lease, if every sample has an end; changes nothing otherwise.
     *
     * @return the run afterwards, or empty when the lease is stale
     */
    Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now);

    /**
     * Frees the claims of the process and ends the lease. A running run receives {@code status} if the process was the last, or
     * if the status is not {@link RunStatus#STOPPED}. Changes nothing when the lease is stale.
     */
    void leave(Lease lease, RunStatus status, Instant now);

    /**
     * Ends the lease of a process known to be dead, as if the lease had expired, and frees the claims. Changes nothing when the
     * lease is stale.
     */
    void evict(Lease lease);

    /** Returns the committed position of this sink of the run; empty before the first. */
    Optional<String> sinkPosition(String run, String sink);

    /** Returns the archive, with the queries and actions of operators. */
    RunArchive archive();

    @Override
    void close();
}
