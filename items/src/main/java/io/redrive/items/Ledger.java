package io.redrive.items;

import io.redrive.core.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What has happened since the last commit and is to be in the next: changed samples, lines of the audit trail, results for
 * the sink, how far the source was read. Used by the coordinator only; what {@link #close} returns is immutable.
 */
final class Ledger {

    private final boolean audited;
    private final List<String> hashes = new ArrayList<>();
    private List<Sample> changed = new ArrayList<>();
    private List<StageAttempt> attempts = new ArrayList<>();
    private List<Result<byte[]>> results = new ArrayList<>();
    private Commit.Taken taken;
    private Instant since;
    private final String run;

    Ledger(String run, ItemPipeline<?, ?> pipeline, boolean audited) {
        this.run = run;
        this.audited = audited;
        pipeline.stages().forEach(stage -> hashes.add(stage.configHash()));
    }

    /** What is to be committed together; {@code gone} of its samples leave this process with it. */
    record Page(
            Optional<Commit.Taken> taken,
            List<SampleRecord> samples,
            List<StageAttempt> attempts,
            List<Result<byte[]>> results,
            int gone) {

        boolean isEmpty() {
            return taken.isEmpty() && samples.isEmpty() && attempts.isEmpty();
        }
    }

    void changed(Sample sample, Instant now) {
        if (!sample.dirty) {
            sample.dirty = true;
            changed.add(sample);
            since = since == null ? now : since;
        }
    }

    void taken(Commit.Taken newTaken, Instant now) {
        taken = newTaken;
        since = since == null ? now : since;
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

    /** A sample that could not be read. */
    void unreadable(Sample sample, Instant now) {
        sample.sequence++;
        if (audited) {
            attempts.add(new StageAttempt(
                    sample.ordinal,
                    sample.sequence,
                    StageAttempt.SOURCE,
                    "",
                    1,
                    AttemptStatus.FAILED,
                    sample.death.errorType(),
                    sample.death.message(),
                    Duration.ZERO,
                    Duration.ZERO,
                    now));
        }
        changed(sample, now);
    }

    void result(Sample sample, Instant now) {
        changed(sample, now);
        results.add(new Result<>(run, sample.ordinal, sample.id, sample.payload));
    }

    int size() {
        return changed.size() + attempts.size();
    }

    /** When the oldest of it happened; null when nothing has. */
    Instant since() {
        return since;
    }

    /** Ends this page and begins the next. */
    Page close() {
        List<SampleRecord> samples = new ArrayList<>(changed.size());
        int gone = 0;
        for (Sample sample : changed) {
            sample.dirty = false;
            samples.add(sample.toRecord());
            sample.payloadStored = true;
            if (sample.state.isFinal() || sample.parked) {
                gone++;
            }
        }
        Page page = new Page(Optional.ofNullable(taken), samples, attempts, results, gone);
        changed = new ArrayList<>();
        attempts = new ArrayList<>();
        results = new ArrayList<>();
        taken = null;
        since = null;
        return page;
    }

    private record Cause(String type, String message) {}

    private void line(Sample sample, Handled handled, AttemptStatus status, Cause cause, Duration delay) {
        sample.sequence++;
        if (audited) {
            attempts.add(new StageAttempt(
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
