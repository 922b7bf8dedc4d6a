package io.redrive.items.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one process has done since its last commit, to be stored in one transaction: all of it or nothing.
 *
 * @param lease in whose name
 * @param number of this lease's commits, from 1; the same number again changes nothing
 * @param taken how far the source was read; empty when no further
 * @param changes what became of samples, each at most once
 * @param sink how far the sink was written; empty when no further
 * @param pauses until when a server asked that a stage not be called, by the stage's name
 * @param spending what calls have cost, at most one record for each stage
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

    /** A commit without pauses and spending. */
    public Commit(Lease lease, long number, Optional<Taken> taken, List<Change> changes, Optional<SinkPosition> sink) {
        this(lease, number, taken, changes, sink, Map.of(), List.of());
    }

    /**
     * What became of a sample.
     *
     * @param sample as it is now, new or changed
     * @param lines its new lines of the audit trail, in their order
     */
    public record Change(SampleRecord sample, List<StageAttempt> lines) {}

    /**
     * How far a source was read.
     *
     * @param count samples taken since the run began; each has a record in this commit or in one before
     * @param fingerprint of all of them
     * @param ended true when there are no more
     * @param size how many there are, where known
     */
    public record Taken(long count, long fingerprint, boolean ended, OptionalLong size) {}

    /**
     * How far a sink was written.
     *
     * @param sink {@code Sink.name}
     * @param position what {@code Sink.write} returned
     */
    public record SinkPosition(String sink, String position) {}
}
