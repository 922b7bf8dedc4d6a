package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What people ask about runs, and do to them. Never on the way of a sample. Thread-safe. */
public interface RunArchive {

    /** The run with this id. It is {@link RunStatus#INTERRUPTED} when it was running and all its leases have run out. */
    Optional<RunRecord> find(String run, Instant now);

    /** The newest runs first, at most {@code limit}, each as {@link #find} shows it; of one pipeline when it is given. */
    List<RunRecord> list(Optional<String> pipeline, int limit, Instant now);

    /** The processes that work on the run, as far as the store knows; the first to join first. */
    List<WorkerRecord> workers(String run);

    /** Dead samples, those that died last first, at most {@code limit}; of one moment, those read last first. */
    List<DeadSample> dead(DeadFilter filter, int limit);

    /** The sample at this place of the run's source, from 0. */
    Optional<SampleRecord> sample(String run, long ordinal);

    /** The first sample of the run with this id. */
    Optional<SampleRecord> sampleById(String run, String id);

    /** The audit trail of one sample, in order. */
    List<StageAttempt> attempts(String run, long ordinal);

    /** How many samples that have their end needed how many retries, over all stages; from the audit trail. */
    SortedMap<Integer, Long> retries(String run);

    /** The most common failed attempts, at most {@code limit}, from the audit trail; and how many samples are dead of each. */
    List<ErrorCount> errors(String run, int limit);

    /** What happened at each stage that has an audit trail, in the order of the stages. */
    List<StageCounts> stages(String run);

    /** What calls of stages with a cost limit have cost, by stage, unit and price, in no order; also without an audit trail. */
    List<StageSpending> spending(String run);

    /** How many samples reached their end in each interval of this length that had any, in order; from the audit trail. */
    List<Throughput> throughput(String run, Duration interval);

    /**
     * Brings dead samples back to life at the stage where they died, with all attempts before them; they rejoin their run,
     * which goes on with them when it is running, or when it is resumed. Those whose payload could not be kept stay dead.
     *
     * @return how many
     */
    long reprocess(DeadFilter filter, Instant now);

    /** Calls the run off: every process that works on it stops soon. False when it has ended already. */
    boolean cancel(String run, Instant now);

    /** Forgets the run with all its samples and its audit trail; false when there is none. Refused while it is worked on. */
    boolean delete(String run, Instant now);
}
