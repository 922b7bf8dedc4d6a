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
 * What a commit writes, sorted by how it is written.
 *
 * @param run the run's number
 * @param token of the process that commits
 * @param skew what to add to due times, which are in the caller's time
 * @param all as they came
 * @param added samples with their end that were never written before, which is most of them
 * @param ended other samples with their end
 * @param stored samples with a payload
 * @param changed samples whose payload stays as it is
 * @param files names of payloads that are not in the database, by ordinal
 * @param ends how many have their end
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

    /** How many samples have their end in this commit. */
    record Ends(long succeeded, long skipped, long dead) {}

    /** Whose samples they are, and how many the run had taken before: none after those was written yet. */
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
            (isOver ? over : sample.payloadKept() ? changed : stored).add(change);
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

    /** 0 when at once. */
    long due(SampleRecord sample) {
        return sample.due().map(due -> Micros.of(due.plus(skew))).orElse(0L);
    }

    byte @Nullable [] payload(SampleRecord sample) {
        return files.containsKey(sample.ordinal()) ? null : sample.payload();
    }
}
