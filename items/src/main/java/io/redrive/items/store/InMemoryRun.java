package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One run of an {@link InMemoryRunStore}; guarded by the store's lock. */
final class InMemoryRun {

    final RunDefinition definition;
    final Map<Long, Worker> workers = new TreeMap<>();
    final TreeMap<Long, Stored> samples = new TreeMap<>();
    /** The part of {@link #samples} without an end. */
    final TreeMap<Long, Stored> pending = new TreeMap<>();

    final Map<Long, List<StageAttempt>> attempts = new TreeMap<>();
    final Map<String, String> sinks = new HashMap<>();
    final Map<String, Instant> pauses = new HashMap<>();
    final Map<List<?>, StageSpending> spending = new HashMap<>();
    RunStatus status = RunStatus.RUNNING;
    Totals totals = Totals.NONE;
    long reader;
    private long fingerprint;
    private final Instant created;
    private Instant updated;
    private @Nullable Instant ended;
    private int crashes;
    private Duration worked = Duration.ZERO;
    /** Start of the current period with at least one process; null without a process. */
    private @Nullable Instant workedFrom;

    /** A process that works on the run. */
    static final class Worker {
        final String node;
        Instant until;
        long commits;
        long claims;

        Worker(String node, Instant until) {
            this.node = node;
            this.until = until;
        }
    }

    /** A sample, and the token and number of its claim; both 0 when the sample is not claimed. */
    static final class Stored {
        SampleRecord record;
        long token;
        long claim;
        /** True when the claiming process has marked the sample as begun. */
        boolean begun;

        Stored(SampleRecord record) {
            this.record = record;
        }

        boolean isFree(Instant now) {
            return token == 0 && record.due().map(due -> !due.isAfter(now)).orElse(true);
        }
    }

    InMemoryRun(RunDefinition definition, Instant now) {
        this.definition = definition;
        created = now;
        updated = now;
    }

    /** Sets the run to running when a process joins. */
    void resume(Instant now) {
        if (workers.isEmpty()) {
            rest(updated);
            workedFrom = now;
        }
        status = RunStatus.RUNNING;
        ended = null;
        updated = now;
    }

    void end(RunStatus last, Instant now) {
        crashes = 0;
        status = last;
        ended = now;
        updated = now;
    }

    /** Ends the period of work at {@code from}, unless the run still has a process. */
    void rest(Instant from) {
        if (workers.isEmpty() && workedFrom != null) {
            worked = workedUntil(from);
            workedFrom = null;
        }
    }

    private Duration workedUntil(Instant end) {
        return workedFrom == null || workedFrom.isAfter(end) ? worked : worked.plus(Duration.between(workedFrom, end));
    }

    /** Removes the processes whose leases have expired, and frees their claims. */
    void recover(Instant now) {
        List<Long> dead = new ArrayList<>();
        workers.forEach((token, worker) -> {
            if (worker.until.isBefore(now)) {
                dead.add(token);
            }
        });
        dead.forEach(this::crash);
    }

    /** Removes a dead process. The period of work ends at the last commit, the last known sign of life. */
    void evict(long token) {
        if (workers.containsKey(token)) {
            crash(token);
            rest(updated);
        }
    }

    /** Counts the death of a process, also in each sample that the process had begun, and frees the claims. */
    private void crash(long token) {
        crashes++;
        for (Stored stored : pending.values()) {
            if (stored.token == token && stored.begun) {
                stored.record =
                        stored.record.withCrashed(stored.record.progress().crashed() + 1);
            }
        }
        free(token);
    }

    void free(long token) {
        workers.remove(token);
        reader = reader == token ? 0 : reader;
        pending.values().stream().filter(stored -> stored.token == token).forEach(stored -> {
            stored.token = 0;
            stored.begun = false;
        });
    }

    void apply(Commit commit, Instant now) {
        long succeeded = totals.succeeded();
        long skipped = totals.skipped();
        long dead = totals.dead();
        for (Commit.Change change : commit.changes()) {
            SampleRecord record = change.sample();
            store(record, commit.lease().token());
            succeeded += record.state() == SampleState.SUCCEEDED ? 1 : 0;
            skipped += record.state() == SampleState.SKIPPED ? 1 : 0;
            dead += record.state() == SampleState.DEAD ? 1 : 0;
            if (!change.lines().isEmpty()) {
                attempts.computeIfAbsent(record.ordinal(), ordinal -> new ArrayList<>(3))
                        .addAll(change.lines());
            }
        }
        long taken = totals.taken();
        boolean sourceEnded = totals.sourceEnded();
        OptionalLong size = totals.sourceSize();
        if (commit.taken().isPresent()) {
            taken = commit.taken().get().count();
            sourceEnded = commit.taken().get().ended();
            size = commit.taken().get().size();
            fingerprint = commit.taken().get().fingerprint();
        }
        totals = new Totals(taken, succeeded, skipped, dead, sourceEnded, size);
        commit.pauses().forEach((stage, until) -> pauses.merge(stage, until, InMemoryRun::later));
        commit.spending()
                .forEach(cost ->
                        spending.merge(List.of(cost.stage(), cost.unit(), cost.price()), cost, StageSpending::plus));
        commit.sink().ifPresent(sink -> sinks.put(sink.sink(), sink.position()));
        updated = now;
    }

    private void store(SampleRecord record, long token) {
        Stored stored = samples.computeIfAbsent(record.ordinal(), ordinal -> new Stored(record));
        stored.begun = record.progress().begun();
        SampleRecord kept = record.withCrashed(record.progress().crashed());
        stored.record = record.payload() instanceof SampleRecord.Payload.Kept
                ? kept.withPayload(stored.record.payload())
                : kept;
        stored.token = record.claimed() ? token : 0;
        stored.claim = 0;
        if (record.state().isFinal()) {
            pending.remove(record.ordinal());
        } else {
            pending.put(record.ordinal(), stored);
        }
    }

    /** Makes a dead sample pending again. */
    void revive(Stored stored, Instant now) {
        stored.record = stored.record.revived();
        stored.token = 0;
        pending.put(stored.record.ordinal(), stored);
        totals = new Totals(
                totals.taken(),
                totals.succeeded(),
                totals.skipped(),
                totals.dead() - 1,
                totals.sourceEnded(),
                totals.sourceSize());
        if (status != RunStatus.RUNNING) {
            end(RunStatus.STOPPED, now);
        }
    }

    RunRecord toRecord(Instant now) {
        int unclaimed = workers.size() < 2
                ? 0
                : (int) pending.values().stream()
                        .filter(stored -> stored.isFree(now))
                        .limit(RunRecord.MOST_UNCLAIMED)
                        .count();
        return new RunRecord(
                definition,
                status,
                totals,
                fingerprint,
                created,
                updated,
                ended,
                workedUntil(updated),
                crashes,
                workers.size(),
                unclaimed,
                reader,
                pauses(now));
    }

    /** Returns the run for people: a running run without a live process is interrupted. */
    RunRecord shown(Instant now) {
        RunRecord record = toRecord(Instant.MAX);
        boolean left =
                status == RunStatus.RUNNING && workers.values().stream().allMatch(worker -> worker.until.isBefore(now));
        return left ? record.interrupted() : record;
    }

    private Map<String, Duration> pauses(Instant now) {
        Map<String, Duration> left = new HashMap<>();
        pauses.forEach((stage, until) -> {
            if (until.isAfter(now)) {
                left.put(stage, Duration.between(now, until));
            }
        });
        return left;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
