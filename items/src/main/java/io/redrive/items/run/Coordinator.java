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
import java.util.Optional;

/**
 * Owns all samples of a run that are in this process and moves them on, one {@link #step} at a time, under one lease. Used
 * by one thread at a time; workers only run stages, the intake only reads, the recorder only writes, and each queues what
 * came of it.
 *
 * <p><b>What is promised.</b> Each commit takes the store from one consistent state to the next: every sample of the source,
 * up to where the commit says that it was read, has a record: either its end or the stage it stands at with what the stage
 * before made. So a crash loses nothing, and repeats at most what happened within {@code commitEvery} before the last commit
 * and since. A stage whose result was committed is not repeated.
 *
 * <p><b>Why a sample is not committed after each stage.</b> A sample that runs through three stages within one commit is
 * written once, with its end. Writing each stage's result on its own would triple the writes to save, after a crash, the
 * repetition of work that took less than {@code commitEvery}.
 *
 * <p><b>Waiting.</b> A sample that waits for its next attempt holds no worker. When half the window waits, further ones are
 * parked: the store keeps them, and they are claimed again when they are due, so that a slow downstream cannot fill the
 * memory, nor keep healthy samples out.
 *
 * <p><b>Several processes.</b> One of them reads the source; it leaves some of what it reads unclaimed, for the others to
 * find. Nobody keeps more ready than can be begun soon: who comes late gets some of what was taken before. Each has a lease
 * of its own, and when one dies, the others take over what it held. A process that was taken for dead and was not finds its
 * lease stale at its next commit, which then changes nothing; it drops all it has and joins anew.
 * Rate limits are divided by the number of processes, and the pauses that servers ask for are told with the commits: no call
 * waits for the store, so for about a second processes may differ in what they know.
 */
final class Coordinator {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final int BEATS_PER_LEASE = 3;

    /** What has ended is written in parts of the window, so that others are on their way meanwhile. */
    private static final int PAGES_PER_WINDOW = 4;

    private final RunStore store;
    private final Lease lease;
    private final RunSettings settings;
    private final Duration beatEvery;
    private final ItemPipeline<?, ?> pipeline;
    private final Intake<?> intake;
    private final Workers workers;
    private final Recorder<?> recorder;
    private final Ledger ledger;
    private final Tally tally;
    private final Floor floor;
    private final Settler settler;
    private final Sequence sequence;
    private final Claims claims;
    private final Watch watch;

    private RunRecord run;
    private final Recurring beats;
    private final Recurring looks = new Recurring(LOOK_EVERY);
    /** Samples of the source up to here may have been under way in a process that died. */
    private long watchUntil;

    /** How many were left to others since the store said how many it has for them. */
    private int left;

    private Halt halt;
    private boolean over;

    Coordinator(Stations stations, RunRecord run) {
        this.run = run;
        store = stations.store();
        lease = stations.lease();
        settings = stations.settings();
        beatEvery = Floor.shorter(settings.lease().dividedBy(BEATS_PER_LEASE), LOOK_EVERY);
        beats = new Recurring(beatEvery);
        pipeline = stations.pipeline();
        intake = stations.intake();
        workers = stations.workers();
        recorder = stations.recorder();
        ledger = stations.ledger();
        tally = new Tally(lease.run(), pipeline.failureBudget(), pipeline.earlyStop());
        floor = new Floor(pipeline, settings, stations.time(), workers);
        sequence = stations.sequence();
        settler = new Settler(floor, stations, tally);
        claims = new Claims(store, lease);
        watch = new Watch(ledger);
        tally.stored(run.totals());
        heard(run);
        if (run.workers() > 1) {
            // The others hear of this process at their next beat, and only then leave it its share.
            floor.pauseLimited(LOOK_EVERY);
        }
    }

    /** What the store says of the run, and of the others who work on it. */
    private void heard(RunRecord latest) {
        run = latest;
        left = 0;
        floor.share(run.workers());
        if (run.workers() > 1) {
            floor.pause(run.pauses());
        }
    }

    /** Every station in order; true when anything moved. Throws {@link StaleLease} when others have taken over. */
    boolean step(Instant now) {
        boolean moved = hearRecorder(now);
        moved |= hearWorkers(now);
        beat(now);
        if (halt == null) {
            if (!watch.holdsOthers(floor.isQuiet(), now)) {
                moved |= floor.wake(now, moreToCome());
                moved |= share(now);
                moved |= claim(now);
                moved |= take(now);
            }
            moved |= watch.mark(floor.isQuiet(), now);
        }
        if (halt == null) {
            moved |= floor.release(now, !watch.holdsOthers(floor.isQuiet(), now) && moreToCome());
        }
        moved |= write(now);
        return moved | leaveIfDone(now);
    }

    /** Begins to leave: nothing new is started, what is under way may finish. */
    void halt(Halt why) {
        if (halt == null || halt.givesWayTo(why)) {
            halt = why;
            floor.halt();
        }
    }

    boolean isHalted() {
        return halt != null;
    }

    /** What the caller is to be told; null when all went well. */
    RuntimeException failure() {
        return halt == null || run.status().isFinal() ? null : halt.failure();
    }

    boolean isOver() {
        return over;
    }

    Recorder<?> recorder() {
        return recorder;
    }

    /** Leaves without those that do not finish. */
    void abandon() {
        floor.abandon();
    }

    /** The lease is lost: others have these samples now, and somebody else writes to the sink. */
    void drop() {
        floor.halt();
        recorder.giveUp();
    }

    Progress progress() {
        return new Progress(
                run.totals().taken(),
                intake == null ? run.totals().sourceSize() : intake.sizeOr(run.totals()),
                tally.succeeded(),
                tally.skipped(),
                tally.dead(),
                tally.retries(),
                floor.held(),
                floor.waiting());
    }

    /** How long until a step has something to do, if nobody wakes us. */
    Duration untilNextStep(Instant now) {
        Duration wait = Duration.between(now, beats.next());
        if (ledger.since() != null && !recorder.isBusy()) {
            wait = Floor.shorter(wait, Duration.between(now, ledger.since().plus(settings.commitEvery())));
        }
        if (halt == null) {
            boolean alone = watch.holdsOthers(floor.isQuiet(), now);
            // Without room nobody looks; who makes some wakes us.
            wait = appetite() > 0 && !alone ? Floor.shorter(wait, Duration.between(now, looks.next())) : wait;
            wait = floor.untilNext(now, wait, alone);
        }
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private boolean hearRecorder(Instant now) {
        Optional<Recorder.Recorded> recorded = recorder.poll();
        if (recorded.isEmpty()) {
            return false;
        }
        heard(recorded.get().run().orElseThrow(StaleLease::new));
        Ledger.Page page = recorded.get().page();
        tally.written(page.changes(), run.totals());
        checkBudget();
        floor.left(page.gone(), page.goneBytes());
        watch.stored(page.changes()).forEach(marked -> settler.begin(marked, now));
        obey(run.status(), now);
        return true;
    }

    private boolean hearWorkers(Instant now) {
        Handled first = workers.poll();
        for (Handled handled = first; handled != null; handled = workers.poll()) {
            settler.settle(handled, now);
            checkBudget();
        }
        return first != null;
    }

    private void checkBudget() {
        if (halt == null && tally.halt() != null) {
            halt(tally.halt());
        }
    }

    /** Keeps the lease. Somebody else may have called the run off meanwhile, or found that too many died. */
    private void beat(Instant now) {
        if (beats.isDue(now)) {
            heard(store.extend(lease, settings.lease(), intake != null, now).orElseThrow(StaleLease::new));
            beats.nextAt(now.plus(beatEvery));
            obey(run.status(), now);
        }
    }

    /** Does what was decided about the run, here or elsewhere. */
    void obey(RunStatus status, Instant now) {
        if (status == RunStatus.CANCELLED) {
            halt(Halt.cancelled());
        } else if (status == RunStatus.BUDGET_EXCEEDED) {
            halt(tally.budgetExceeded());
        } else if (status.isFinal()) {
            // Somebody else found that nothing is left to do.
            store.leave(lease, RunStatus.STOPPED, now);
            over = true;
        }
    }

    private boolean isShared() {
        return run.workers() > 1 && !sequence.isOrdered();
    }

    /** How many samples to take on: what there is room for, or when others want some too, what can be begun soon. */
    private int appetite() {
        return isShared() ? Math.min(floor.room(), floor.lacking()) : floor.room();
    }

    /** Others have come and find nothing to claim: what this process could not begin soon is theirs. */
    private boolean share(Instant now) {
        int forOthers = forOthers();
        if (forOthers == 0) {
            return false;
        }
        List<Sample> parked = floor.parkLast(Math.min(forOthers, floor.surplus()));
        parked.forEach(sample -> ledger.changed(sample, now));
        left += parked.size();
        return !parked.isEmpty();
    }

    /** From the store: what a crash, a stop or a reprocessing left, and what was parked. */
    private boolean claim(Instant now) {
        if (appetite() <= 0 || !looks.isDue(now)) {
            return false;
        }
        // In an ordered run those that are not due come too, and wait here: none may be missing before others.
        Instant due = sequence.isOrdered() ? Instant.MAX : now;
        List<Sample> some = claims.claim(Math.min(appetite(), floor.roomForUnknown()), due);
        some.forEach(this::arrived);
        looks.nextAt(claims.nextLook(!some.isEmpty(), isShared() && !isReader(), now));
        some.forEach(sample -> admit(sample, run.crashes() > 0, now));
        return !some.isEmpty();
    }

    /** Begins a sample; or, when it may have killed its process, has it watched. */
    private void admit(Sample sample, boolean watched, Instant now) {
        if (sample.crashed >= Watch.POISON_AFTER) {
            settler.poisonous(sample, now);
            checkBudget();
        } else if (watched || sample.crashed > 0) {
            watch.add(sample);
        } else {
            settler.begin(sample, now);
        }
    }

    private void arrived(Sample sample) {
        floor.arrived(sample);
        sequence.arrived(sample);
    }

    /** From the source, if this process is the one that reads it. */
    private boolean take(Instant now) {
        if (!isReader()) {
            return false;
        }
        if (intake.begin(run) && run.crashes() > 0) {
            watchUntil = run.totals().taken() + settings.window();
        }
        Intake.Chunk chunk = intake.poll();
        if (chunk != null) {
            taken(chunk, now);
        }
        int appetite = appetite();
        int wanted = Math.min(floor.room(), appetite + forOthers());
        // Claims stored samples before reading more. A process that reads only for others skips claiming.
        boolean mayRead = halt == null && (appetite <= 0 || looks.next().isAfter(now));
        boolean asked = mayRead && intake.request(wanted);
        return asked || chunk != null;
    }

    private boolean moreToCome() {
        return isReader() && !intake.isEnded() && (intake.isReading() || floor.room() > 0);
    }

    private boolean isReader() {
        return intake != null && run.reader() == lease.token();
    }

    private void taken(Intake.Chunk chunk, Instant now) {
        for (Intake.Read read : chunk.reads()) {
            Sample sample = Sample.from(read);
            arrived(sample);
            ledger.taken(sample);
            if (read.isBad()) {
                settler.unreadable(sample, read, now);
                checkBudget();
            } else if (forOthers() > 0) {
                floor.park(sample);
                ledger.changed(sample, now);
                left++;
            } else {
                admit(sample, sample.ordinal < watchUntil, now);
            }
        }
        if (!chunk.reads().isEmpty() || chunk.taken().ended()) {
            ledger.taken(chunk.taken());
        }
        if (chunk.failure() != null) {
            halt(Halt.because(RunStatus.STOPPED, chunk.failure()));
        }
    }

    /** How many samples to leave to other processes, so that they find something to claim. */
    private int forOthers() {
        int goal = Math.min(settings.window(), RunRecord.MOST_UNCLAIMED) / 2;
        return isShared() ? Math.max(0, goal - run.unclaimed() - left) : 0;
    }

    private boolean write(Instant now) {
        boolean full = ledger.isFull(settings.commitSize(), Math.max(1, settings.window() / PAGES_PER_WINDOW));
        boolean quiet = !full && !ledger.isEmpty() && !recorder.isBusy() && isQuiet();
        if (!full && !quiet && (ledger.since() == null || recorder.isBusy() || !isOld(now))) {
            return false;
        }
        recorder.write(ledger.close(now, quiet));
        return true;
    }

    private boolean isOld(Instant now) {
        return !now.isBefore(ledger.since().plus(settings.commitEvery()));
    }

    /** Nothing is under way that could add to the next commit. */
    private boolean isQuiet() {
        return floor.isQuiet() && (halt != null || intake == null || !intake.isReading());
    }

    private boolean leaveIfDone(Instant now) {
        if (over || recorder.isBusy() || !ledger.isEmpty() || !isQuiet()) {
            return over;
        }
        boolean complete = floor.held() == 0 && run.totals().isComplete();
        if (halt != null && !(complete && halt.givesWayToEnd())) {
            store.leave(lease, halt.status(), now);
            over = true;
        } else if (complete) {
            Totals totals = run.totals();
            RunStatus status = pipeline.thresholds().statusOf(totals.succeeded(), totals.dead());
            run = store.finish(lease, status, now).orElseThrow(StaleLease::new);
            over = run.status().isFinal();
        } else if (intake == null
                && run.workers() == 1
                && !run.totals().sourceEnded()
                && run.totals().pending() == 0) {
            halt(Halt.withoutReader(lease.run()));
            return true;
        }
        return over;
    }
}
