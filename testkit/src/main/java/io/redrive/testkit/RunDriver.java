package io.redrive.testkit;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Totals;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A run store and its clock, with short methods for the steps of contracts. */
final class RunDriver {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final RunDefinition RUN = new RunDefinition("run-1", "texts", List.of("fetch", "llm", "save"));

    private final RunStore store;
    private final ManualTime time;
    private final Path dir;
    private final Map<Lease, Long> numbers = new HashMap<>();
    private final Map<Lease, Long> claims = new HashMap<>();

    RunDriver(RunStore store, ManualTime time, Path dir) {
        this.store = store;
        this.time = time;
        this.dir = dir;
    }

    RunDriver on(RunStore other) {
        return new RunDriver(other, time, dir);
    }

    RunStore store() {
        return store;
    }

    RunArchive archive() {
        return store.archive();
    }

    ManualTime time() {
        return time;
    }

    Path dir() {
        return dir;
    }

    Instant now() {
        return time.now();
    }

    void pass(Duration duration) {
        time.advance(duration);
    }

    /** Opens the run and joins it. */
    Lease join() {
        return join("node-a");
    }

    Lease join(String node) {
        store.open(RUN, now());
        return store.join(RUN.id(), node, LEASE, now());
    }

    RunRecord run() {
        return store.archive().find(RUN.id(), now()).orElseThrow();
    }

    List<SampleRecord> claim(Lease lease) {
        return claim(lease, 100);
    }

    List<SampleRecord> claim(Lease lease, int max) {
        return store.claim(lease, claims.merge(lease, 1L, Long::sum), max, now());
    }

    Optional<RunRecord> extend(Lease lease) {
        return store.extend(lease, LEASE, false, now());
    }

    void leave(Lease lease) {
        store.leave(lease, RunStatus.STOPPED, now());
    }

    /** A commit of these samples. */
    Optional<RunRecord> commit(Lease lease, SampleRecord... samples) {
        return commit(lease, List.of(samples), List.of());
    }

    Optional<RunRecord> commit(Lease lease, List<SampleRecord> samples, List<StageAttempt> attempts) {
        return store.commit(commitOf(lease, samples, attempts), now());
    }

    /** The next commit of this lease; every sample in it counts as taken. */
    Commit commitOf(Lease lease, List<SampleRecord> samples, List<StageAttempt> attempts) {
        Totals totals = store.archive().find(lease.run(), now()).orElseThrow().totals();
        long taken = totals.taken();
        for (SampleRecord sample : samples) {
            taken = Math.max(taken, sample.ordinal() + 1);
        }
        return new Commit(
                lease,
                numbers.merge(lease, 1L, Long::sum),
                Optional.of(new Commit.Taken(taken, taken * 7, totals.sourceEnded(), OptionalLong.empty())),
                samples.stream()
                        .map(sample -> new Commit.Change(sample, linesOf(sample, attempts)))
                        .toList(),
                Optional.empty());
    }

    /** Commits only costs. */
    Commit commitSpending(Lease lease, StageSpending... costs) {
        Commit commit = new Commit(
                lease,
                numbers.merge(lease, 1L, Long::sum),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Map.of(),
                List.of(costs));
        store.commit(commit, now());
        return commit;
    }

    private static List<StageAttempt> linesOf(SampleRecord sample, List<StageAttempt> attempts) {
        return attempts.stream()
                .filter(attempt -> attempt.ordinal() == sample.ordinal())
                .toList();
    }

    /** Commits the end of the source. */
    void endSource(Lease lease) {
        RunRecord run = run();
        Commit end = new Commit(
                lease,
                numbers.merge(lease, 1L, Long::sum),
                Optional.of(new Commit.Taken(run.totals().taken(), run.fingerprint(), true, OptionalLong.empty())),
                List.of(),
                Optional.empty());
        store.commit(end, now());
    }

    static SampleRecord ready(long ordinal, int stage, String payload) {
        return sample(ordinal, SampleState.READY, stage, Progress.NONE, payload, true, null);
    }

    /** A ready sample without a claim. */
    static SampleRecord parked(long ordinal) {
        return parked(ordinal, Progress.NONE);
    }

    /** A ready sample without a claim, which is retried at {@code due}. */
    static SampleRecord parked(long ordinal, Instant due) {
        return parked(ordinal, new Progress(1, 1, due, Duration.ofSeconds(1), due));
    }

    private static SampleRecord parked(long ordinal, Progress progress) {
        return sample(ordinal, SampleState.READY, 1, progress, "p" + ordinal, false, null);
    }

    static SampleRecord succeeded(long ordinal) {
        return sample(ordinal, SampleState.SUCCEEDED, 3, Progress.NONE, null, false, null);
    }

    static SampleRecord skipped(long ordinal) {
        return sample(ordinal, SampleState.SKIPPED, 1, Progress.NONE, null, false, null);
    }

    SampleRecord dead(long ordinal, int stage, String type) {
        Death death = new Death(Reason.MAX_ATTEMPTS_EXCEEDED, type, type + " happened", now());
        Progress progress = new Progress(2, 3, now(), Duration.ofSeconds(2), now());
        return sample(ordinal, SampleState.DEAD, stage, progress, "p" + ordinal, false, death);
    }

    static SampleRecord sample(
            long ordinal,
            SampleState state,
            int stage,
            Progress progress,
            @Nullable String payload,
            boolean claimed,
            @Nullable Death death) {
        byte[] bytes = payload == null ? null : payload.getBytes(StandardCharsets.UTF_8);
        return new SampleRecord(
                ordinal, "s" + ordinal, state, stage, progress, SampleRecord.Payload.of(bytes), claimed, death);
    }

    StageAttempt attempt(long ordinal, int sequence, String stage, int attempt, AttemptStatus status, String error) {
        return new StageAttempt(
                ordinal,
                sequence,
                stage,
                "hash-" + stage,
                attempt,
                status,
                error,
                error.isEmpty() ? "" : error + " happened",
                status == AttemptStatus.RETRYING ? Duration.ofSeconds(2) : Duration.ZERO,
                Duration.ofMillis(5),
                now());
    }

    static @Nullable String payload(SampleRecord sample) {
        return sample.hasBytes() ? new String(sample.bytes(), StandardCharsets.UTF_8) : null;
    }

    static List<Long> ordinals(List<SampleRecord> samples) {
        List<Long> ordinals = new ArrayList<>();
        samples.forEach(sample -> ordinals.add(sample.ordinal()));
        return ordinals;
    }
}
