package io.redrive.items.run;

import io.redrive.core.Failure;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Result;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageSpending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What has happened since the last commit: changed samples with their new lines of the audit trail, results for the sink,
 * how far the source was read. Used by the coordinator only; what {@link #close} returns is immutable.
 *
 * <p><b>Not everything goes into the next commit.</b> A sample that is on its way is worth a write when something happened
 * to it longer than {@code commitEvery} ago. Before that it may reach its end in time for the next commit, and then it is
 * written once, without its payload, instead of twice. One that was only taken from the source is worth none at all: the
 * source still has it. So a commit says that the source was read up to the last sample that it has to write, stores those
 * before it that are on their way, and leaves those after it to be read again should this process die.
 */
final class Ledger {

    private final boolean audited;
    private final Duration mayWait;
    private final List<String> names;
    private final List<String> hashes = new ArrayList<>();
    private List<Sample> changed = new ArrayList<>();
    private List<Result<byte[]>> results = new ArrayList<>();
    private final Map<String, Instant> pauses = new HashMap<>();
    private final Map<String, StageSpending> spending = new TreeMap<>();
    private Commit.Taken taken;
    private Instant since;
    private int endedSamples;
    private int endedLines;
    private final String run;

    Ledger(String run, ItemPipeline<?, ?> pipeline, boolean audited, Duration mayWait) {
        this.run = run;
        this.audited = audited;
        this.mayWait = mayWait;
        names = pipeline.stageNames();
        pipeline.stages().forEach(stage -> hashes.add(stage.configHash()));
    }

    /** What is to be committed together; {@code gone} of its samples, with so many bytes, leave this process with it. */
    record Page(
            Optional<Commit.Taken> taken,
            List<Commit.Change> changes,
            List<Result<byte[]>> results,
            Map<String, Instant> pauses,
            List<StageSpending> spending,
            int gone,
            long goneBytes) {}

    /** A sample was taken from the source. */
    void taken(Sample sample) {
        enlist(sample);
    }

    /** The source was read so far. */
    void taken(Commit.Taken newTaken) {
        taken = newTaken;
    }

    /** A sample is to be written down at the next occasion. */
    void changed(Sample sample, Instant now) {
        enlist(sample);
        if (sample.changedAt == null) {
            sample.changedAt = now;
            since = since == null ? now : since;
        }
    }

    private void enlist(Sample sample) {
        if (!sample.dirty) {
            sample.dirty = true;
            changed.add(sample);
        }
    }

    /** An attempt that did not fail. */
    void passed(Sample sample, Handled handled, AttemptStatus status, String why, Instant now) {
        line(sample, handled, status, new Cause("", why), Duration.ZERO);
        changed(sample, now);
    }

    /** An attempt that failed, to be tried again after {@code delay} or not. */
    void failed(Sample sample, Handled handled, AttemptStatus status, Failure failure, Duration delay, Instant now) {
        line(sample, handled, status, new Cause(failure.type(), failure.message()), delay);
        changed(sample, now);
    }

    /** A sample that died without an attempt: it could not be read, or its processes keep dying. */
    void died(Sample sample, Instant now) {
        if (audited) {
            boolean read = sample.stage >= 0;
            sample.sequence++;
            sample.addLine(new StageAttempt(
                    sample.ordinal,
                    sample.sequence,
                    read ? names.get(sample.stage) : StageAttempt.SOURCE,
                    read ? hashes.get(sample.stage) : "",
                    sample.failed + 1,
                    AttemptStatus.FAILED,
                    sample.death.errorType(),
                    sample.death.message(),
                    Duration.ZERO,
                    Duration.ZERO,
                    now));
        }
        changed(sample, now);
    }

    /** A server asked that a stage not be called until then. */
    void paused(String stage, Instant until) {
        pauses.merge(stage, until, (one, other) -> one.isAfter(other) ? one : other);
    }

    /** A call has cost this. */
    void spent(StageSpending cost) {
        spending.merge(cost.stage(), cost, StageSpending::plus);
    }

    void result(Sample sample) {
        results.add(new Result<>(run, sample.ordinal, sample.id, sample.payload));
    }

    /** A sample has its end. */
    void ended(Sample sample, Instant now) {
        changed(sample, now);
        endedSamples++;
        endedLines += sample.newLines.size();
    }

    /** True when so many samples have had their end since the last commit, or they take so many rows with their trail. */
    boolean isFull(int rows, int samples) {
        return endedSamples + endedLines >= rows || endedSamples >= samples;
    }

    /** When the oldest of what must be written happened; null when nothing must. */
    Instant since() {
        return since;
    }

    boolean isEmpty() {
        return changed.isEmpty() && taken == null && spending.isEmpty();
    }

    /** Ends this page and begins the next, with what can wait for it; or with nothing. */
    Page close(Instant now, boolean everything) {
        List<Sample> all = changed;
        Instant old = now.minus(mayWait);
        int last = lastToWrite(all, old, everything);
        changed = new ArrayList<>();
        since = null;
        List<Commit.Change> changes = new ArrayList<>(all.size());
        int gone = 0;
        long goneBytes = 0;
        for (int i = 0; i < all.size(); i++) {
            Sample sample = all.get(i);
            if (everything || (i <= last && !sample.stored) || isDue(sample, old)) {
                changes.add(new Commit.Change(sample.toRecord(), sample.newLines));
                sample.written();
                if (sample.state.isFinal() || sample.parked) {
                    gone++;
                    goneBytes += sample.bytes();
                }
            } else {
                keep(sample);
            }
        }
        Optional<Commit.Taken> takenNow = takenUpTo(last < 0 ? null : all.get(last), everything);
        Page page = new Page(
                takenNow, changes, results, Map.copyOf(pauses), List.copyOf(spending.values()), gone, goneBytes);
        pauses.clear();
        spending.clear();
        results = new ArrayList<>();
        endedSamples = 0;
        endedLines = 0;
        return page;
    }

    /** It has its end, or leaves this process, or something happened to it so long ago. */
    private static boolean isDue(Sample sample, Instant old) {
        return sample.state.isFinal() || sample.parked || (sample.changedAt != null && !sample.changedAt.isAfter(old));
    }

    private void keep(Sample sample) {
        changed.add(sample);
        if (sample.changedAt != null && (since == null || sample.changedAt.isBefore(since))) {
            since = sample.changedAt;
        }
    }

    /** Where the last is, of those the store does not know, that must go into this page; negative when none must. */
    private static int lastToWrite(List<Sample> all, Instant old, boolean everything) {
        // Those the store does not know are in the order of the source.
        int last = all.size() - 1;
        while (last >= 0 && (all.get(last).stored || !(everything || isDue(all.get(last), old)))) {
            last--;
        }
        return last;
    }

    private Optional<Commit.Taken> takenUpTo(Sample last, boolean everything) {
        if (taken == null || (last == null && !everything)) {
            return Optional.empty();
        }
        if (everything || last.ordinal + 1 == taken.count()) {
            Optional<Commit.Taken> all = Optional.of(taken);
            taken = null;
            return all;
        }
        return Optional.of(new Commit.Taken(last.ordinal + 1, last.fingerprint, false, taken.size()));
    }

    private record Cause(String type, String message) {}

    private void line(Sample sample, Handled handled, AttemptStatus status, Cause cause, Duration delay) {
        if (audited) {
            sample.sequence++;
            sample.addLine(new StageAttempt(
                    sample.ordinal,
                    sample.sequence,
                    handled.lane().stage.name(),
                    hashes.get(handled.lane().index),
                    sample.failed + 1,
                    status,
                    cause.type(),
                    cause.message(),
                    delay,
                    handled.took(),
                    handled.began()));
        }
    }
}
