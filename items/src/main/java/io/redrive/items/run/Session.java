package io.redrive.items.run;

import io.redrive.core.Time;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunListener;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.WorkerRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Joins a run and makes the coordinator for the lease. When the lease is lost, the session joins again: the samples of this
 * process are dropped, the sink goes back to its stored position, and a new coordinator starts from there.
 */
final class Session<I, O> {

    private final Plan<I, O> plan;
    private final ProcessSettings process;
    private @Nullable Intake<I> intake;
    private boolean joinedBefore;
    private @Nullable Lease last;

    /** What the run does; the source is null when this process has none. */
    record Plan<I, O>(
            String id,
            String origin,
            ItemPipeline<I, O> pipeline,
            RunStore store,
            @Nullable SampleSource<I> source,
            Sink<O> sink,
            boolean audited,
            boolean ordered) {}

    /** Settings of this process: sizes and times, name, clock, source of jitter, listeners. */
    record ProcessSettings(RunSettings run, String node, Time time, RandomGenerator random, Listeners listeners) {}

    Session(Plan<I, O> plan, ProcessSettings process) {
        this.plan = plan;
        this.process = process;
    }

    ProcessSettings process() {
        return process;
    }

    String id() {
        return plan.id();
    }

    /**
     * Joins the run under a new lease.
     *
     * @param workers where stages run and the source is read
     * @param recorder where pages are written
     */
    Coordinator join(Background workers, Background recorder) {
        closeSource();
        giveBackLast();
        Instant now = process.time().now();
        RunStore store = plan.store();
        RunRecord before = store.open(
                new RunDefinition(
                        plan.id(), plan.pipeline().name(), plan.pipeline().stageNames(), plan.origin()),
                now);
        boolean again = joinedBefore;
        if (!again) {
            evictDeadProcesses();
            joinedBefore = true;
        }
        requireSource(before);
        String position = openSink();
        Lease lease = store.join(plan.id(), process.node(), process.run().lease(), now);
        last = lease;
        RunRecord run = beginCommits(lease, position, now);
        if (plan.source() != null) {
            intake = new Intake<>(plan.id(), plan.source(), plan.pipeline(), workers);
        }
        RunListener.Started started = new RunListener.Started(
                plan.id(), plan.pipeline().name(), run.totals().taken(), now);
        process.listeners().tell(listener -> listener.onStarted(started));
        Coordinator coordinator = new Coordinator(parts(lease, position, workers, recorder), run);
        if (again && !before.status().isFinal()) {
            // Joining sets the run to running. Only a person resumes a stopped run: a process that lost its lease obeys
            // the status from before.
            coordinator.obey(before.status(), now);
        }
        return coordinator;
    }

    /** Stores the sink's position before the first write there: a resume can then cut off what a crash left behind. */
    private RunRecord beginCommits(Lease lease, String position, Instant now) {
        Commit first = new Commit(
                lease,
                1,
                Optional.empty(),
                List.of(),
                Optional.of(new Commit.SinkPosition(plan.sink().name(), position)));
        plan.store().commit(first, now).orElseThrow(StaleLease::new);
        return plan.store()
                .extend(lease, process.run().lease(), plan.source() != null, now)
                .orElseThrow(StaleLease::new);
    }

    /** The run as the store has it. */
    RunRecord current() {
        return plan.store().archive().find(plan.id(), process.time().now()).orElseThrow();
    }

    /** Gives back a lease that was lost, or with which joining failed half-way. */
    private void giveBackLast() {
        if (last != null) {
            plan.store().leave(last, RunStatus.STOPPED, process.time().now());
            last = null;
        }
    }

    void close() throws Exception {
        closeSource();
        plan.sink().close();
    }

    private CoordinatorParts parts(Lease lease, String position, Background workers, Background recorder) {
        ItemPipeline<I, O> pipeline = plan.pipeline();
        RunSettings settings = process.run();
        Recorder.Output<O> output = new Recorder.Output<>(plan.sink(), pipeline.output(), position);
        return new CoordinatorParts(
                plan.store(),
                lease,
                settings,
                process.time(),
                pipeline,
                intake,
                new Workers(plan.id(), pipeline, workers),
                new Recorder<>(lease, plan.store(), output, recorder),
                new Announcer(plan.id(), pipeline.name(), process.listeners()),
                new Ledger(plan.id(), pipeline, plan.audited(), settings.commitEvery()),
                new Judge(process.random()),
                plan.ordered() ? new SinkOrder.OfSource(pipeline.stages().size()) : SinkOrder.AS_THEY_COME);
    }

    /**
     * Ends the leases of processes of this machine that are gone. Only at the first join: two containers with one host name do
     * not see each other's processes, and would evict each other for ever.
     */
    private void evictDeadProcesses() {
        for (WorkerRecord worker : plan.store().archive().workers(plan.id())) {
            if (ThisProcess.isGone(worker.node())) {
                plan.store().evict(worker.lease());
            }
        }
    }

    private void requireSource(RunRecord run) {
        if (plan.source() == null
                && !run.totals().sourceEnded()
                && plan.store().archive().workers(plan.id()).isEmpty()) {
            throw new IllegalArgumentException(
                    "run '" + plan.id() + "' must have a source until it has read all of it ("
                            + run.totals().taken() + " samples so far); give it one with from(…)");
        }
    }

    private String openSink() {
        Optional<String> position =
                plan.store().sinkPosition(plan.id(), plan.sink().name());
        try {
            return plan.sink().open(position);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(
                    "sink '" + plan.sink().name() + "' of run '" + plan.id() + "' could not be opened: "
                            + Warnings.textOf(e),
                    e);
        }
    }

    private void closeSource() {
        if (intake != null) {
            intake.close();
            intake = null;
        }
    }
}
