package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Queries about runs, and the actions of operators on runs. The engine does not use the archive. Thread-safe. */
public interface RunArchive {

    /** Returns the run with this id; a running run whose leases have all expired is {@link RunStatus#INTERRUPTED}. */
    Optional<RunRecord> find(String run, Instant now);

    /**
     * Returns at most {@code limit} runs as {@link #find} does, the newest first.
     *
     * @param pipeline only runs of this pipeline; empty for all
     * @param after the id of a run: only runs behind this run; empty to begin with the newest. No run is behind an unknown run
     */
    List<RunRecord> list(Optional<String> pipeline, Optional<String> after, int limit, Instant now);

    /** {@link #list(Optional, Optional, int, Instant)} from the newest run on. */
    default List<RunRecord> list(Optional<String> pipeline, int limit, Instant now) {
        return list(pipeline, Optional.empty(), limit, now);
    }

    /** Returns the processes with a lease of the run, in the order of joining; the lease of a dead process may remain. */
    List<WorkerRecord> workers(String run);

    /** Returns at most {@code limit} dead samples, the latest death first; for equal times, the highest ordinal first. */
    List<DeadSample> dead(DeadFilter filter, int limit);

    /** Returns the sample with this ordinal. */
    Optional<SampleRecord> sample(String run, long ordinal);

    /** Returns the first sample of the run with this sample id; ids may repeat. */
    Optional<SampleRecord> sampleById(String run, String id);

    /** Returns the audit trail of one sample, in order. */
    List<StageAttempt> attempts(String run, long ordinal);

    /** Returns the number of ended samples by the number of retries in all stages, from the audit trail. */
    SortedMap<Integer, Long> retries(String run);

    /** Returns the {@code limit} most common failures of the audit trail, with the number of dead samples for each. */
    List<ErrorCount> errors(String run, int limit);

    /** Returns the counts of each stage that has an audit trail, in the order of the stages. */
    List<StageCounts> stages(String run);

    /** Returns the costs of stages with a cost limit by stage, unit and price, in no order. Needs no audit trail. */
    List<StageSpending> spending(String run);

    /** Returns the samples that ended in each interval of this length, in order and without empty intervals, from the audit trail. */
    List<Throughput> throughput(String run, Duration interval);

    /**
     * Makes dead samples pending again, at the stage where the samples died and with no attempt spent. A running run continues
     * with the samples at once, any other run when resumed. Samples without a stored payload stay dead.
     *
     * @return the number of samples that are pending again
     */
    long reprocess(DeadFilter filter, Instant now);

    /** Cancels the run, and its processes stop soon. Returns false for an unknown, cancelled or finished run. */
    boolean cancel(String run, Instant now);

    /**
     * Deletes the run with its samples and its audit trail. Returns false for an unknown run.
     *
     * @throws IllegalStateException while a process has a lease of the run
     */
    boolean delete(String run, Instant now);
}
