package io.redrive.jdbc;

import io.redrive.items.store.Commit.Change;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a commit, sorted by the statement that writes them.
 *
 * @param run the run's number
 * @param token of the committing process
 * @param skew the difference from the caller's clock to the clock of leases, added to due times
 * @param all the changes in their order
 * @param added ended samples never written before: most samples
 * @param ended further ended samples
 * @param stored samples with a payload
 * @param changed samples whose stored payload stays
 * @param files names of payload files by ordinal
 * @param ends numbers of ended samples
 */
record RunWrites(
        long run,
        long token,
        Duration skew,
        List<Change> all,
        List<Change> added,
        List<Change> ended,
        List<Change> stored,
        List<Change> changed,
        Map<Long, String> files,
        Ends ends) {

    /** Numbers of samples that end in this commit. */
    record Ends(long succeeded, long skipped, long dead) {}

    /** The committing worker. Samples from ordinal {@code takenBefore} on were never written before. */
    record Committer(long run, long token, Duration skew, long takenBefore) {}

    static RunWrites of(Committer committer, List<Change> all, Map<Long, String> files) {
        List<Change> added = new ArrayList<>(all.size());
        List<Change> ended = new ArrayList<>();
        List<Change> stored = new ArrayList<>();
        List<Change> changed = new ArrayList<>();
        long skipped = 0;
        long dead = 0;
        for (Change change : all) {
            SampleRecord sample = change.sample();
            boolean isOver = sample.state() == SampleState.SUCCEEDED || sample.state() == SampleState.SKIPPED;
            List<Change> over = sample.ordinal() >= committer.takenBefore() ? added : ended;
            (isOver ? over : sample.payload() instanceof SampleRecord.Payload.Kept ? changed : stored).add(change);
            skipped += sample.state() == SampleState.SKIPPED ? 1 : 0;
            dead += sample.state() == SampleState.DEAD ? 1 : 0;
        }
        Ends ends = new Ends(added.size() + ended.size() - skipped, skipped, dead);
        return new RunWrites(
                committer.run(), committer.token(), committer.skew(), all, added, ended, stored, changed, files, ends);
    }

    static List<SampleRecord> samples(List<Change> changes) {
        return changes.stream().map(Change::sample).toList();
    }

    long key(SampleRecord sample) {
        return RunRows.key(run, sample.ordinal());
    }

    /** The due time; 0 when due at once. */
    long due(SampleRecord sample) {
        return sample.due().map(due -> Micros.of(due.plus(skew))).orElse(0L);
    }

    byte @Nullable [] payload(SampleRecord sample) {
        return sample.hasBytes() && !files.containsKey(sample.ordinal()) ? sample.bytes() : null;
    }
}
