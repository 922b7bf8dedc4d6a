package io.redrive.items.run;

import io.redrive.items.ItemPipeline;
import io.redrive.items.Progress;
import io.redrive.items.RunSettings;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Owns the samples of a run in this process and moves them on, one {@link #step} at a time, under one lease. Used by one
 * thread at a time. Workers only run stages, the intake only reads, the recorder only writes; each queues its results for the
 * coordinator.
 *
 * <p><b>Promise.</b> Each commit takes the store from one consistent state to the next. A commit names a place in the source,
 * and every sample before this place has a record: its end, or its stage and the payload made by the previous stage. So a crash
 * loses no sample. A crash repeats only the calls made since the last commit, and during {@code commitEvery} before it. A stage
 * with a committed result is not repeated.
 *
 * <p><b>Rejected: a commit after each stage.</b> A sample that passes three stages within one commit is written once, with its
 * end. Three writes instead of one would save, after a crash, the repetition of less than {@code commitEvery} of work.
 *
 * <p><b>Waiting.</b> A sample that waits for its retry holds no worker. When half the window waits, further samples are parked
 * in the store, and claimed again when due. So a slow service can neither fill the memory nor keep healthy samples out.
 *
 * <p><b>Several processes.</b> One process reads the source, and leaves samples unclaimed for the rest of the processes. No
 * process keeps more samples ready than begin soon, so a late process finds samples too. Each process has a lease; when a
 * process dies, the remaining processes take over its samples. A live process that was declared dead learns of its stale lease
 * from its next commit, which changes no row; the process drops its samples and joins again. Processes divide rate limits by the
 * number of processes, and tell each other of pauses by commits. No call waits for the store, so the knowledge of two processes
 * may differ by about a second.
 */
final class Coordinator {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final int BEATS_PER_LEASE = 3;

    /** A page is written when a quarter of the window has ended, so that stages have samples during the write. */
    private static final int PAGES_PER_WINDOW = 4;

    private final RunStore store;
    private final Lease lease;
    private final RunSettings settings;
    private final ItemPipeline<?, ?> pipeline;
    private final @Nullable Intake<?> intake;
    private final Workers workers;
    private final Recorder<?> recorder;
    private final Ledger ledger;
    private final RunCounts counts;
    private final Window window;
    private final Lanes lanes;
    private final Demand demand;
    private final Settler settler;
    private final SinkOrder sinkOrder;
    private final Claims claims;
    private final PoisonWatch watch;
    private final Duration beatEvery;
    private final Recurring beats;
    private final Recurring looks = new Recurring(LOOK_EVERY);

    private RunRecord run;
    /** Samples of the source up to this ordinal may have been under way in a process that died. */
    private long watchUntil;

    private @Nullable Halt halt;
    private boolean over;

    Coordinator(CoordinatorParts parts, RunRecord run) {
        this.run = run;
        store = parts.store();
        lease = parts.lease();
        settings = parts.settings();
        pipeline = parts.pipeline();
        intake = parts.intake();
        workers = parts.workers();
        recorder = parts.recorder();
        ledger = parts.ledger();
        sinkOrder = parts.sinkOrder();
        beatEvery = Lanes.shorter(settings.lease().dividedBy(BEATS_PER_LEASE), LOOK_EVERY);
        beats = new Recurring(beatEvery);
        counts = new RunCounts(lease.run(), pipeline.failureBudget(), pipeline.earlyStop());
        window = new Window(settings, pipeline.maxPayload());
        lanes = new Lanes(pipeline, window, parts.time(), workers);
        demand = new Demand(settings, window, lanes, sinkOrder.isOrdered());
        settler = new Settler(lanes, window, new RunBooks(ledger, counts, parts.announcer()), parts);
        claims = new Claims(store, lease);
        watch = new PoisonWatch(ledger);
        counts.stored(run.totals());
        heard(run);
        if (run.workers() > 1) {
            // The other processes divide the limits by the new number of processes only after their next beat.
            lanes.pauseLimited(LOOK_EVERY);
        }
    }

    /** The run stands like this in the store, and so many processes work on it. */
    private void heard(RunRecord latest) {
        run = latest;
        demand.heard(latest);
        lanes.share(latest.workers());
        if (latest.workers() > 1) {
            lanes.pause(latest.pauses());
        }
    }

    /** Takes every step of the run once, in order; true when anything moved. */
    boolean step(Instant now) {
        boolean moved = hearRecorder(now);
        moved |= hearWorkers(now);
        beat(now);
        if (halt == null) {
            if (!watch.holdsOthers(lanes.isQuiet(), now)) {
                moved |= lanes.wake(now, moreToCome());
                moved |= share(now);
                moved |= claim(now);
                moved |= take(now);
            }
            moved |= watch.mark(lanes.isQuiet(), now);
        }
        if (halt == null) {
            moved |= lanes.release(now, !watch.holdsOthers(lanes.isQuiet(), now) && moreToCome());
        }
        moved |= write(now);
        return moved | leaveIfDone(now);
    }

    /** Begins to leave: no call begins any more, calls under way may end. */
    void halt(Halt why) {
        if (halt == null || halt.givesWayTo(why)) {
            halt = why;
            lanes.halt();
        }
    }

    boolean isHalted() {
        return halt != null;
    }

    /** What the caller of the run is told; null when the run ended, or was asked to stop. */
    @Nullable
    RuntimeException failure() {
        return halt instanceof Halt.Forced forced && !run.status().isFinal() ? forced.failure() : null;
    }

    boolean isOver() {
        return over;
    }

    Recorder<?> recorder() {
        return recorder;
    }

    /** Leaves without waiting for calls that are under way. */
    void abandon() {
        lanes.abandon();
    }

    /** The lease is lost: other processes have these samples, and may write to the sink. */
    void drop() {
        lanes.halt();
        recorder.giveUp();
    }

    Progress progress() {
        return new Progress(
                run.totals().taken(),
                intake == null ? run.totals().sourceSize() : intake.sizeOr(run.totals()),
                counts.succeeded(),
                counts.skipped(),
                counts.dead(),
                counts.retries(),
                window.held(),
                lanes.waiting());
    }

    /** How long until a step has something to do, if no signal is raised. */
    Duration untilNextStep(Instant now) {
        Duration wait = Duration.between(now, beats.next());
        Instant since = ledger.since();
        if (since != null && !recorder.isBusy()) {
            wait = Lanes.shorter(wait, Duration.between(now, since.plus(settings.commitEvery())));
        }
        if (halt == null) {
            boolean alone = watch.holdsOthers(lanes.isQuiet(), now);
            // A look needs demand, and every event that makes room raises the signal.
            wait = demand.wanted() > 0 && !alone ? Lanes.shorter(wait, Duration.between(now, looks.next())) : wait;
            wait = lanes.untilNext(now, wait, alone);
        }
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private boolean hearRecorder(Instant now) {
        Recorder.Answer.Written written = recorder.poll();
        if (written == null) {
            return false;
        }
        heard(written.run());
        Ledger.Page page = written.page();
        counts.written(page.changes(), run.totals());
        haltByCounts();
        window.left(page.left(), page.leftBytes());
        watch.stored(page.changes()).forEach(marked -> settler.begin(marked, now));
        obey(run.status(), now);
        return true;
    }

    private boolean hearWorkers(Instant now) {
        CallResult first = workers.poll();
        for (CallResult call = first; call != null; call = workers.poll()) {
            settler.settle(call, now);
            haltByCounts();
        }
        return first != null;
    }

    private void haltByCounts() {
        Halt why = counts.halt();
        if (halt == null && why != null) {
            halt(why);
        }
    }

    /** Keeps the lease, and hears whether the run was cancelled or its budget exceeded elsewhere. */
    private void beat(Instant now) {
        if (beats.isDue(now)) {
            heard(store.extend(lease, settings.lease(), intake != null, now).orElseThrow(StaleLease::new));
            beats.nextAt(now.plus(beatEvery));
            obey(run.status(), now);
        }
    }

    /** Follows the status of the run, whichever process gave it. */
    void obey(RunStatus status, Instant now) {
        if (status == RunStatus.CANCELLED) {
            halt(Halt.cancelled());
        } else if (status == RunStatus.BUDGET_EXCEEDED) {
            halt(counts.budgetExceeded());
        } else if (status.isFinal()) {
            // Another process ended the run.
            store.leave(lease, RunStatus.STOPPED, now);
            over = true;
        }
    }

    /** Gives ready samples back to the store when other processes find none to claim. */
    private boolean share(Instant now) {
        int forOthers = demand.forOthers();
        if (forOthers == 0) {
            return false;
        }
        List<Sample> parked = lanes.parkLast(Math.min(forOthers, lanes.surplus()));
        parked.forEach(sample -> ledger.changed(sample, now));
        demand.left(parked.size());
        return !parked.isEmpty();
    }

    /** Claims samples from the store: left by a crash or a stop, reprocessed, or parked. */
    private boolean claim(Instant now) {
        int wanted = demand.wanted();
        if (wanted <= 0 || !looks.isDue(now)) {
            return false;
        }
        // An ordered run also claims samples that are not due, because no later sample may overtake one.
        Instant due = sinkOrder.isOrdered() ? Instant.MAX : now;
        List<Sample> claimed = claims.claim(Math.min(wanted, window.roomForUnknown()), due);
        claimed.forEach(this::arrived);
        looks.nextAt(claims.nextLook(!claimed.isEmpty(), demand.isShared() && reader() == null, now));
        claimed.forEach(sample -> admit(sample, run.crashes() > 0, now));
        return !claimed.isEmpty();
    }

    /** Begins a sample. A sample that may have killed a process is watched; one that killed three is dead. */
    private void admit(Sample sample, boolean watched, Instant now) {
        if (sample.crashed() >= PoisonWatch.POISON_AFTER) {
            settler.poisonous(sample, now);
            haltByCounts();
        } else if (watched || sample.crashed() > 0) {
            watch.add(sample);
        } else {
            settler.begin(sample, now);
        }
    }

    private void arrived(Sample sample) {
        window.arrived(sample);
        sinkOrder.arrived(sample);
    }

    /** Takes samples from the source, if this process is its reader. */
    private boolean take(Instant now) {
        Intake<?> reader = reader();
        if (reader == null) {
            return false;
        }
        if (reader.begin(run) && run.crashes() > 0) {
            watchUntil = run.totals().taken() + settings.window();
        }
        Intake.Chunk chunk = reader.poll();
        if (chunk != null) {
            taken(chunk, now);
        }
        int wanted = demand.wanted();
        // Claims stored samples before reading more. A process that reads only for others skips claiming.
        boolean mayRead = halt == null && (wanted <= 0 || looks.next().isAfter(now));
        boolean asked = mayRead && reader.request(Math.min(window.room(), wanted + demand.forOthers()));
        return asked || chunk != null;
    }

    private boolean moreToCome() {
        Intake<?> reader = reader();
        return reader != null && !reader.isEnded() && (reader.isReading() || window.room() > 0);
    }

    /** The intake, while this process is the one that reads the source; null otherwise. */
    private @Nullable Intake<?> reader() {
        return run.reader() == lease.token() ? intake : null;
    }

    private void taken(Intake.Chunk chunk, Instant now) {
        for (Intake.Read read : chunk.reads()) {
            Sample sample = Sample.from(read);
            arrived(sample);
            ledger.taken(sample);
            if (read instanceof Intake.Read.Bad bad) {
                settler.unreadable(sample, bad, now);
                haltByCounts();
            } else if (demand.forOthers() > 0) {
                sample.park();
                ledger.changed(sample, now);
                demand.left(1);
            } else {
                admit(sample, sample.ordinal() < watchUntil, now);
            }
        }
        if (!chunk.reads().isEmpty() || chunk.taken().ended()) {
            ledger.taken(chunk.taken());
        }
        if (chunk.failure() != null) {
            halt(Halt.because(RunStatus.STOPPED, chunk.failure()));
        }
    }

    private boolean write(Instant now) {
        boolean full = ledger.isFull(settings.commitSize(), Math.max(1, settings.window() / PAGES_PER_WINDOW));
        boolean quiet = !full && !ledger.isEmpty() && !recorder.isBusy() && isQuiet();
        if (!full && !quiet && (recorder.isBusy() || !isOldChangeWaiting(now))) {
            return false;
        }
        recorder.write(ledger.close(now, quiet));
        return true;
    }

    private boolean isOldChangeWaiting(Instant now) {
        Instant since = ledger.since();
        return since != null && !now.isBefore(since.plus(settings.commitEvery()));
    }

    /** True when no call or read is under way that could add to the next commit. */
    private boolean isQuiet() {
        return lanes.isQuiet() && (halt != null || intake == null || !intake.isReading());
    }

    private boolean leaveIfDone(Instant now) {
        if (over || recorder.isBusy() || !ledger.isEmpty() || !isQuiet()) {
            return over;
        }
        Totals totals = run.totals();
        boolean complete = window.held() == 0 && totals.isComplete();
        if (halt != null && !(complete && halt.givesWayToEnd())) {
            store.leave(lease, halt.status(), now);
            over = true;
        } else if (complete) {
            RunStatus status = pipeline.thresholds().statusOf(totals.succeeded(), totals.dead());
            run = store.finish(lease, status, now).orElseThrow(StaleLease::new);
            over = run.status().isFinal();
        } else if (intake == null && run.workers() == 1 && !totals.sourceEnded() && totals.pending() == 0) {
            halt(Halt.withoutReader(lease.run()));
            return true;
        }
        return over;
    }
}
