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

/** {@link RunOperations} on a store. */
final class StoredRuns implements RunOperations {

    private final Desk desk;
    private final RunStore runs;

    StoredRuns(Desk desk, RunStore runs) {
        this.desk = desk;
        this.runs = runs;
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, int limit) {
        return read().list(pipeline, page(limit), desk.now());
    }

    @Override
    public Optional<RunRecord> find(String run) {
        return read().find(run, desk.now());
    }

    @Override
    public List<WorkerRecord> workers(String run) {
        return read().workers(run);
    }

    @Override
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        return read().dead(filter, page(limit));
    }

    @Override
    public List<StageAttempt> attempts(String run, long ordinal) {
        return read().attempts(run, ordinal);
    }

    @Override
    public Optional<RunReport> report(String run) {
        return find(run).map(found -> RunReport.of(runs.archive(), run, desk.now()));
    }

    @Override
    public long reprocess(DeadFilter filter) {
        OperatorCommand command = desk.command(Verb.REPROCESS, "dead samples: " + filter);
        long samples = runs.archive().reprocess(filter, desk.now());
        desk.record(command, Verb.REPROCESS, samples + " samples");
        return samples;
    }

    @Override
    public boolean cancel(String run) {
        OperatorCommand command = desk.command(Verb.CANCEL_RUN, "run " + run);
        boolean cancelled = runs.archive().cancel(run, desk.now());
        if (cancelled) {
            desk.record(command, Verb.CANCEL_RUN, "cancelled");
        }
        return cancelled;
    }

    @Override
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
