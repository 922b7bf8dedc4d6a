package io.redrive.operations;

import io.redrive.events.OperatorCommand;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.WorkerRecord;
import java.util.List;
import java.util.Optional;

/** What an operator may know and do about item runs. Thread-safe. */
public final class RunOperations {

    /** The most rows of one answer. */
    public static final int MAX_PAGE = 1_000;

    private final Desk desk;
    private final RunStore runs;

    RunOperations(Desk desk, RunStore runs) {
        this.desk = desk;
        this.runs = runs;
    }

    /**
     * Returns runs, the newest first.
     *
     * @param pipeline only runs of this pipeline; empty for all
     * @param limit the most runs to return, up to {@link #MAX_PAGE}
     */
    public List<RunRecord> list(Optional<String> pipeline, int limit) {
        return read().list(pipeline, page(limit), desk.now());
    }

    /** Returns the run with this id. */
    public Optional<RunRecord> find(String run) {
        return read().find(run, desk.now());
    }

    /** Returns the processes that work on a run. */
    public List<WorkerRecord> workers(String run) {
        return read().workers(run);
    }

    /** Returns dead samples, up to {@link #MAX_PAGE}. */
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        return read().dead(filter, page(limit));
    }

    /** Returns every attempt of one sample. */
    public List<StageAttempt> attempts(String run, long ordinal) {
        return read().attempts(run, ordinal);
    }

    /** Returns the report of a run; empty when no run has this id. */
    public Optional<RunReport> report(String run) {
        return find(run).map(found -> RunReport.of(runs.archive(), run, desk.now()));
    }

    /** Makes dead samples pending again and returns their number. The run goes on when a process joins it. */
    public long reprocess(DeadFilter filter) {
        OperatorCommand command = desk.command(Verb.REPROCESS, "dead samples: " + filter);
        long samples = runs.archive().reprocess(filter, desk.now());
        desk.record(command, Verb.REPROCESS, samples + " samples");
        return samples;
    }

    /** Stops a run for good; returns false when the run does not exist or has ended. */
    public boolean cancel(String run) {
        OperatorCommand command = desk.command(Verb.CANCEL_RUN, "run " + run);
        boolean cancelled = runs.archive().cancel(run, desk.now());
        if (cancelled) {
            desk.record(command, Verb.CANCEL_RUN, "cancelled");
        }
        return cancelled;
    }

    /** Deletes a run with its samples and its audit trail; returns false when the run does not exist. */
    public boolean delete(String run) {
        OperatorCommand command = desk.command(Verb.DELETE_RUN, "run " + run);
        boolean deleted = runs.archive().delete(run, desk.now());
        if (deleted) {
            desk.record(command, Verb.DELETE_RUN, "deleted");
        }
        return deleted;
    }

    private RunArchive read() {
        desk.read();
        return runs.archive();
    }

    private static int page(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit must be 1 to " + MAX_PAGE + ", got " + limit);
        }
        return limit;
    }
}
