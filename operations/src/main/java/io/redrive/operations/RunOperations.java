package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.WorkerRecord;
import java.util.List;
import java.util.Optional;

/** What an operator may know and do about item runs. Thread-safe. */
public interface RunOperations {

    /** The most rows of one answer. */
    int MAX_PAGE = 1_000;

    /**
     * Returns the operations on a store of runs alone, for a person who can open the store: without roles, and without a record of
     * actions, which is part of an event store. The caller closes the store.
     */
    static RunOperations of(RunStore store, Time time) {
        return new StoredRuns(Optional.empty(), store, time);
    }

    /**
     * Returns runs, the newest first.
     *
     * @param pipeline only runs of this pipeline; empty for all
     * @param limit the most runs to return, up to {@link #MAX_PAGE}
     */
    default List<RunRecord> list(Optional<String> pipeline, int limit) {
        return list(pipeline, Optional.empty(), limit);
    }

    /**
     * {@link #list(Optional, int)} behind a run: the next page of a list.
     *
     * @param after the id of the last run of the page before; empty to begin with the newest run
     */
    List<RunRecord> list(Optional<String> pipeline, Optional<String> after, int limit);

    /** Returns the run with this id. */
    Optional<RunRecord> find(String run);

    /** Returns the processes that work on a run. */
    List<WorkerRecord> workers(String run);

    /** Returns dead samples, up to {@link #MAX_PAGE}. */
    List<DeadSample> dead(DeadFilter filter, int limit);

    /** Returns the sample at this place of the input; empty when the run has not taken such a sample. */
    Optional<SampleRecord> sample(String run, long ordinal);

    /** Returns the sample with this id; empty when the run has not taken such a sample. */
    Optional<SampleRecord> sampleById(String run, String id);

    /** Returns every attempt of one sample. */
    List<StageAttempt> attempts(String run, long ordinal);

    /** Returns the report of a run; empty when no run has this id. */
    Optional<RunReport> report(String run);

    /** Makes dead samples pending again and returns their number. The run goes on when a process joins it. */
    long reprocess(DeadFilter filter);

    /** Stops a run for good; returns false when the run does not exist or has ended. */
    boolean cancel(String run);

    /** Deletes a run with its samples and its audit trail; returns false when the run does not exist. */
    boolean delete(String run);
}
