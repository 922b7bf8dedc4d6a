package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.events.OperatorCommand;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.WorkerRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@link RunOperations} on a store. */
final class StoredRuns implements RunOperations {

    private final Optional<Desk> desk;
    private final RunStore runs;
    private final Time time;

    /**
     * Creates the operations.
     *
     * @param desk checks roles and writes the record of actions; empty for a store of runs without an event store
     */
    StoredRuns(Optional<Desk> desk, RunStore runs, Time time) {
        this.desk = desk;
        this.runs = runs;
        this.time = time;
    }

    private Instant now() {
        return time.now();
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, Optional<String> after, int limit) {
        return read().list(pipeline, after, page(limit), now());
    }

    @Override
    public Optional<RunRecord> find(String run) {
        return read().find(run, now());
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
    public Optional<SampleRecord> sample(String run, long ordinal) {
        return read().sample(run, ordinal);
    }

    @Override
    public Optional<SampleRecord> sampleById(String run, String id) {
        return read().sampleById(run, id);
    }

    @Override
    public List<StageAttempt> attempts(String run, long ordinal) {
        return read().attempts(run, ordinal);
    }

    @Override
    public Optional<RunReport> report(String run) {
        return find(run).map(found -> RunReport.of(runs.archive(), run, now()));
    }

    @Override
    public long reprocess(DeadFilter filter) {
        Optional<OperatorCommand> command = command(Verb.REPROCESS, "dead samples: " + filter);
        long samples = runs.archive().reprocess(filter, now());
        record(command, Verb.REPROCESS, samples + " samples");
        return samples;
    }

    @Override
    public boolean cancel(String run) {
        Optional<OperatorCommand> command = command(Verb.CANCEL_RUN, "run " + run);
        boolean cancelled = runs.archive().cancel(run, now());
        if (cancelled) {
            record(command, Verb.CANCEL_RUN, "cancelled");
        }
        return cancelled;
    }

    @Override
    public boolean delete(String run) {
        Optional<OperatorCommand> command = command(Verb.DELETE_RUN, "run " + run);
        boolean deleted = runs.archive().delete(run, now());
        if (deleted) {
            record(command, Verb.DELETE_RUN, "deleted");
        }
        return deleted;
    }

    private RunArchive read() {
        desk.ifPresent(Desk::read);
        return runs.archive();
    }

    private Optional<OperatorCommand> command(Verb verb, String about) {
        return desk.map(each -> each.command(verb, about));
    }

    private void record(Optional<OperatorCommand> command, Verb verb, String outcome) {
        command.ifPresent(given -> desk.orElseThrow().record(given, verb, outcome));
    }

    private static int page(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit must be 1 to " + MAX_PAGE + ", got " + limit);
        }
        return limit;
    }
}
