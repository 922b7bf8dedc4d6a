package io.redrive.jdbc;

import io.redrive.items.SampleRecord;
import io.redrive.items.SampleState;
import io.redrive.items.StageAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a commit writes, sorted by how it is written.
 *
 * @param run the run's number
 * @param token of the process that commits
 * @param skew what to add to due times, which are in the caller's time
 * @param added samples with their end that were never written before, which is most of them
 * @param ended other samples with their end
 * @param stored samples with a payload
 * @param changed samples whose payload stays as it is
 * @param files names of payloads that are not in the database, by ordinal
 * @param attempts lines for the audit trail
 * @param stages numbers of their stages
 */
record RunWrites(
        long run,
        long token,
        Duration skew,
        List<SampleRecord> added,
        List<SampleRecord> ended,
        List<SampleRecord> stored,
        List<SampleRecord> changed,
        Map<Long, String> files,
        List<StageAttempt> attempts,
        Map<Stage, Long> stages) {

    /** A stage as it was. */
    record Stage(String name, String hash) {
        static Stage of(StageAttempt attempt) {
            return new Stage(attempt.stage(), attempt.configHash());
        }
    }

    /** Whose samples they are, and how many the run had taken before: none after those was written yet. */
    record Place(long run, long token, Duration skew, long taken) {}

    static RunWrites of(Place place, List<SampleRecord> samples, Map<Long, String> files, List<StageAttempt> attempts) {
        List<SampleRecord> added = new ArrayList<>(samples.size());
        List<SampleRecord> ended = new ArrayList<>();
        List<SampleRecord> stored = new ArrayList<>();
        List<SampleRecord> changed = new ArrayList<>();
        for (SampleRecord sample : samples) {
            boolean isOver = sample.state() == SampleState.SUCCEEDED || sample.state() == SampleState.SKIPPED;
            List<SampleRecord> over = sample.ordinal() >= place.taken() ? added : ended;
            (isOver ? over : sample.payloadKept() ? changed : stored).add(sample);
        }
        return new RunWrites(
                place.run(),
                place.token(),
                place.skew(),
                added,
                ended,
                stored,
                changed,
                files,
                attempts,
                new HashMap<>());
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
