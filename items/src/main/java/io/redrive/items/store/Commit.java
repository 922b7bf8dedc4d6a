package io.redrive.items.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The changes that a process made to a run since its previous commit, stored in one transaction.
 *
 * @param lease the lease of the process
 * @param number the number of the commit within the lease, from 1; a store ignores a number that it has stored already
 * @param taken the new position in the source; empty when unchanged
 * @param changes the changed samples, each at most once
 * @param sink the new position of the sink; empty when unchanged
 * @param pauses the ends of pauses by stage name
 * @param spending the costs of calls, at most one record for each stage
 */
public record Commit(
        Lease lease,
        long number,
        Optional<Taken> taken,
        List<Change> changes,
        Optional<SinkPosition> sink,
        Map<String, Instant> pauses,
        List<StageSpending> spending) {

    /** Keeps copies of the pauses and the spending. */
    public Commit {
        pauses = Map.copyOf(pauses);
        spending = List.copyOf(spending);
    }

    /** Creates a commit without pauses and spending. */
    public Commit(Lease lease, long number, Optional<Taken> taken, List<Change> changes, Optional<SinkPosition> sink) {
        this(lease, number, taken, changes, sink, Map.of(), List.of());
    }

    /**
     * A new or changed sample.
     *
     * @param sample the current record of the sample
     * @param lines the new attempts of the sample for the audit trail, in order
     */
    public record Change(SampleRecord sample, List<StageAttempt> lines) {}

    /**
     * The position in the source.
     *
     * @param count the samples taken since the run began; each has a record in this or an earlier commit
     * @param fingerprint a hash over all samples taken
     * @param ended true when the source has no more samples
     * @param size the size of the source; empty when unknown
     */
    public record Taken(long count, long fingerprint, boolean ended, OptionalLong size) {}

    /**
     * The position of a sink.
     *
     * @param sink {@code Sink.name}
     * @param position the value that {@code Sink.write} returned
     */
    public record SinkPosition(String sink, String position) {}
}
