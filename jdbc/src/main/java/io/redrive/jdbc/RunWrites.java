package io.redrive.jdbc;

import io.redrive.items.Commit.Change;
import io.redrive.items.SampleRecord;
import io.redrive.items.SampleState;
import io.redrive.items.StageAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

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
 * @param stages numbers of the stages in the audit trail
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
        Map<Stage, Long> stages) {

    /** A stage as it was. */
    record Stage(String name, String hash) implements Comparable<Stage> {

        private static final Comparator<Stage> ORDER =
                Comparator.comparing(Stage::name).thenComparing(Stage::hash);

        static Stage of(StageAttempt attempt) {
            return new Stage(attempt.stage(), attempt.configHash());
        }

        @Override
        public int compareTo(Stage other) {
            return ORDER.compare(this, other);
        }
    }

    /** Whose samples they are, and how many the run had taken before: none after those was written yet. */
    record Place(long run, long token, Duration skew, long taken) {}

    static RunWrites of(Place place, List<Change> all, Map<Long, String> files, Map<Stage, Long> stages) {
        List<Change> added = new ArrayList<>(all.size());
        List<Change> ended = new ArrayList<>();
        List<Change> stored = new ArrayList<>();
        List<Change> changed = new ArrayList<>();
        for (Change change : all) {
            SampleRecord sample = change.sample();
            boolean isOver = sample.state() == SampleState.SUCCEEDED || sample.state() == SampleState.SKIPPED;
            List<Change> over = sample.ordinal() >= place.taken() ? added : ended;
            (isOver ? over : sample.payloadKept() ? changed : stored).add(change);
        }
        return new RunWrites(
                place.run(), place.token(), place.skew(), all, added, ended, stored, changed, files, stages);
    }

    static List<SampleRecord> samples(List<Change> changes) {
        return changes.stream().map(Change::sample).toList();
    }

    long stageOf(StageAttempt attempt) {
        return stages.get(Stage.of(attempt));
    }

    long key(SampleRecord sample) {
        return RunRows.key(run, sample.ordinal());
    }

    /** 0 when at once. */
    long due(SampleRecord sample) {
        return sample.due().map(due -> Micros.of(due.plus(skew))).orElse(0L);
    }

    byte[] payload(SampleRecord sample) {
        return files.containsKey(sample.ordinal()) ? null : sample.payload();
    }
}
