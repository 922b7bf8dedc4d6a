package io.redrive.items.run;

import io.redrive.items.ItemPipeline;
import io.redrive.items.Result;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit;
import io.redrive.items.store.SampleRecord.Death;
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
import org.jspecify.annotations.Nullable;

/**
 * The changes that the store has not heard of: changed samples with their new lines of the audit trail, results for the sink,
 * and how far the source was read. {@link #close} takes the page for the next commit. Used by the coordinator only; a page is
 * immutable.
 *
 * <p><b>A page leaves changes behind.</b> An unfinished sample is written when its oldest unwritten change is older than {@code
 * commitEvery}. A younger sample may reach its end in time for the next commit, and is then written once, without a payload,
 * instead of twice. A sample that was only taken is not written, because the source still has the sample. So a commit names the
 * last sample that must be written as the place up to which the source was read, and stores the unfinished samples before this
 * place. Samples after this place are read again if this process dies.
 */
final class Ledger {

    private final String run;
    private final boolean audited;
    private final Duration mayWait;
    private final List<String> stageNames;
    private final List<String> configHashes = new ArrayList<>();
    private List<Sample> changed = new ArrayList<>();
    private List<Result<byte[]>> results = new ArrayList<>();
    private final Map<String, Instant> pauses = new HashMap<>();
    private final Map<String, StageSpending> spending = new TreeMap<>();
    private Commit.@Nullable Taken taken;
    private @Nullable Instant since;
    /** Rows that the samples with an end need on the next page: one each, and one for each new line. */
    private int endedRows;

    private int endedSamples;

    Ledger(String run, ItemPipeline<?, ?> pipeline, boolean audited, Duration mayWait) {
        this.run = run;
        this.audited = audited;
        this.mayWait = mayWait;
        stageNames = pipeline.stageNames();
        pipeline.stages().forEach(stage -> configHashes.add(stage.configHash()));
    }

    /**
     * What is committed together.
     *
     * @param left how many samples leave this process with the commit: they have their end, or are parked
     * @param leftBytes bytes of the payloads of these samples
     */
    record Page(
            Optional<Commit.Taken> taken,
            List<Commit.Change> changes,
            List<Result<byte[]>> results,
            Map<String, Instant> pauses,
            List<StageSpending> spending,
            int left,
            long leftBytes) {}

    /** A sample was taken from the source. */
    void taken(Sample sample) {
        enlist(sample);
    }

    /** The source was read so far. */
    void taken(Commit.Taken newTaken) {
        taken = newTaken;
    }

    /** The sample is to be written. */
    void changed(Sample sample, Instant now) {
        enlist(sample);
        if (sample.changed(now)) {
            since = since == null ? now : since;
        }
    }

    private void enlist(Sample sample) {
        if (sample.enterLedger()) {
            changed.add(sample);
        }
    }

    /** An attempt has ended: adds its line to the audit trail. */
    void attempted(
            Sample sample,
            CallResult call,
            AttemptStatus status,
            String errorType,
            String message,
            Duration delay,
            Instant now) {
        if (audited) {
            sample.addLine(new StageAttempt(
                    sample.ordinal(),
                    sample.nextLine(),
                    call.lane().stage.name(),
                    configHashes.get(call.lane().index),
                    sample.attempt(),
                    status,
                    errorType,
                    message,
                    delay,
                    call.took(),
                    call.began()));
        }
        changed(sample, now);
    }

    /** A sample died without an attempt: adds a line that says why. */
    void diedUntried(Sample sample, Death death, Instant now) {
        if (audited) {
            boolean read = sample.stage() >= 0;
            sample.addLine(new StageAttempt(
                    sample.ordinal(),
                    sample.nextLine(),
                    read ? stageNames.get(sample.stage()) : StageAttempt.SOURCE,
                    read ? configHashes.get(sample.stage()) : "",
                    sample.attempt(),
                    AttemptStatus.FAILED,
                    death.errorType(),
                    death.message(),
                    Duration.ZERO,
                    Duration.ZERO,
                    now));
        }
        changed(sample, now);
    }

    /** Pauses a stage until then, because a server asked for time. */
    void paused(String stage, Instant until) {
        pauses.merge(stage, until, (one, other) -> one.isAfter(other) ? one : other);
    }

    /** A call has cost this. */
    void spent(StageSpending cost) {
        spending.merge(cost.stage(), cost, StageSpending::plus);
    }

    /** The payload of the sample goes to the sink. */
    void result(Sample sample) {
        results.add(new Result<>(run, sample.ordinal(), sample.id(), sample.payload()));
    }

    /** The sample has its end. */
    void ended(Sample sample, Instant now) {
        changed(sample, now);
        endedSamples++;
        endedRows += 1 + sample.newLines().size();
    }

    /** True when the samples that have ended since the last page are so many, or need so many rows. */
    boolean isFull(int rows, int samples) {
        return endedRows >= rows || endedSamples >= samples;
    }

    /** Time of the oldest change that must be written; null when none must. */
    @Nullable
    Instant since() {
        return since;
    }

    boolean isEmpty() {
        return changed.isEmpty() && taken == null && spending.isEmpty();
    }

    /**
     * Takes the page for the next commit, and keeps the changes that can wait for the one after.
     *
     * @param everything true to keep nothing
     */
    Page close(Instant now, boolean everything) {
        List<Sample> all = changed;
        Instant old = now.minus(mayWait);
        int last = lastToWrite(all, old, everything);
        changed = new ArrayList<>();
        since = null;
        List<Commit.Change> changes = new ArrayList<>(all.size());
        int left = 0;
        long leftBytes = 0;
        for (int i = 0; i < all.size(); i++) {
            Sample sample = all.get(i);
            if (everything || (i <= last && !sample.isStored()) || mustBeWritten(sample, old)) {
                changes.add(new Commit.Change(sample.toRecord(), sample.newLines()));
                sample.written();
                if (sample.isLeaving()) {
                    left++;
                    leftBytes += sample.payload().length;
                }
            } else {
                keep(sample);
            }
        }
        Optional<Commit.Taken> takenNow =
                everything ? takenAll() : last < 0 ? Optional.empty() : takenUpTo(all.get(last));
        Page page = new Page(
                takenNow, changes, results, Map.copyOf(pauses), List.copyOf(spending.values()), left, leftBytes);
        pauses.clear();
        spending.clear();
        results = new ArrayList<>();
        endedSamples = 0;
        endedRows = 0;
        return page;
    }

    /** True when the sample leaves this process, or its oldest unwritten change is so old. */
    private static boolean mustBeWritten(Sample sample, Instant old) {
        Instant changedAt = sample.changedAt();
        return sample.isLeaving() || (changedAt != null && !changedAt.isAfter(old));
    }

    private void keep(Sample sample) {
        changed.add(sample);
        Instant changedAt = sample.changedAt();
        if (changedAt != null && (since == null || changedAt.isBefore(since))) {
            since = changedAt;
        }
    }

    /** Index of the last sample, among those without a record in the store, that must be written; negative when none must. */
    private static int lastToWrite(List<Sample> all, Instant old, boolean everything) {
        // Samples without a record are in the order of the source.
        int last = all.size() - 1;
        while (last >= 0 && (all.get(last).isStored() || !(everything || mustBeWritten(all.get(last), old)))) {
            last--;
        }
        return last;
    }

    private Optional<Commit.Taken> takenAll() {
        Optional<Commit.Taken> all = Optional.ofNullable(taken);
        taken = null;
        return all;
    }

    /** How far the source was read when the last sample to write was taken. */
    private Optional<Commit.Taken> takenUpTo(Sample last) {
        if (taken == null) {
            return Optional.empty();
        }
        return last.ordinal() + 1 == taken.count()
                ? takenAll()
                : Optional.of(new Commit.Taken(last.ordinal() + 1, last.fingerprint(), false, taken.size()));
    }
}
