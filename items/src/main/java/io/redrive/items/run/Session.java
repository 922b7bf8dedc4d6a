package io.redrive.items.run;

import io.redrive.core.Signal;
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
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Joins a run, makes what one lease needs, and knows how to begin again: when the lease was lost, everything this process
 * had is dropped, the sink goes back to what is stored, and a new coordinator starts from there.
 */
final class Session<I, O> {

    private final Plan<I, O> plan;
    private final Surroundings surroundings;
    private Intake<I> intake;
    private boolean joinedBefore;
    private Lease last;

    /** What is to be done. The source is null when there is none here. */
    record Plan<I, O>(
            String id,
            String origin,
            ItemPipeline<I, O> pipeline,
            RunStore store,
            SampleSource<I> source,
            Sink<O> sink,
            boolean audited,
            boolean ordered) {}

    /** Where stages run and the source is read, and where results are written. */
    record Executors(Executor workers, Executor recorder) {}

    /** What is passed in to everything. */
    record Surroundings(RunSettings settings, String node, Time time, RandomGenerator random, Listeners listeners) {}

    Session(Plan<I, O> plan, Surroundings surroundings) {
        this.plan = plan;
        this.surroundings = surroundings;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    String id() {
        return plan.id();
    }

    /** Joins the run under a new lease. */
    Coordinator join(Executors executors, Signal signal) {
        closeSource();
        giveBackLast();
        Time time = surroundings.time();
        Instant now = time.now();
        RunStore store = plan.store();
        RunRecord before = store.open(
                new RunDefinition(
                        plan.id(), plan.pipeline().name(), plan.pipeline().stageNames(), plan.origin()),
                now);
        boolean again = joinedBefore;
        if (!again) {
            evictTheGone();
            joinedBefore = true;
        }
        requireSource(before);
        String position = openSink();
        Lease lease = store.join(
                plan.id(), surroundings.node(), surroundings.settings().lease(), now);
        last = lease;
        // Before anything is written there: what a crash leaves behind can then be told from what was there before.
        Commit first = new Commit(
                lease,
                1,
                Optional.empty(),
                List.of(),
                Optional.of(new Commit.SinkPosition(plan.sink().name(), position)));
        store.commit(first, now).orElseThrow(StaleLease::new);
        RunRecord run = store.extend(lease, surroundings.settings().lease(), plan.source() != null, now)
                .orElseThrow(StaleLease::new);
        if (plan.source() != null) {
            intake = new Intake<>(
                    new Intake.Place(plan.id(), executors.workers(), signal::raise, signal::raiseSoon),
                    plan.source(),
                    plan.pipeline().input(),
                    plan.pipeline().maxPayload());
        }
        RunListener.Started started = new RunListener.Started(
                plan.id(), plan.pipeline().name(), run.totals().taken(), now);
        surroundings.listeners().tell(listener -> listener.onStarted(started));
        Coordinator coordinator = coordinator(lease, run, position, executors, signal);
        if (again && !before.status().isFinal()) {
            // Joining sets the run going, which is for people to decide: who only comes back does not undo their word.
            coordinator.obey(before.status(), now);
        }
        return coordinator;
    }

    /** The run as the store has it. */
    RunRecord current() {
        return plan.store().archive().find(plan.id(), surroundings.time().now()).orElseThrow();
    }

    /** A lease that was lost, or with which joining did not get to its end. */
    private void giveBackLast() {
        if (last != null) {
            plan.store().leave(last, RunStatus.STOPPED, surroundings.time().now());
            last = null;
        }
    }

    void close() throws Exception {
        closeSource();
        plan.sink().close();
    }

    private Coordinator coordinator(Lease lease, RunRecord run, String position, Executors executors, Signal signal) {
        Time time = surroundings.time();
        Recorder<O> recorder = new Recorder<>(
                lease,
                new Recorder.Place<>(
                        plan.store(), plan.sink(), plan.pipeline().output(), executors.recorder(), time, signal::raise),
                position);
        return new Coordinator(
                new Stations(
                        plan.store(),
                        lease,
                        surroundings.settings(),
                        time,
                        plan.pipeline(),
                        intake,
                        new Workers(plan.id(), plan.pipeline(), executors.workers(), time, signal),
                        recorder,
                        new Announcer(plan.id(), plan.pipeline().name(), surroundings.listeners()),
                        new Ledger(
                                plan.id(),
                                plan.pipeline(),
                                plan.audited(),
                                surroundings.settings().commitEvery()),
                        new Judge(surroundings.random()),
                        plan.ordered()
                                ? new Sequence.Ordered(plan.pipeline().stages().size())
                                : Sequence.UNORDERED),
                run);
    }

    /**
     * Only once: two containers may have one host name and not see each other's processes, and would evict each other for
     * ever.
     */
    private void evictTheGone() {
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
