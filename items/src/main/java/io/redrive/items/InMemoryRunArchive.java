package io.redrive.items;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Questions about runs in memory; guarded by the store's lock. */
final class InMemoryRunArchive implements RunArchive {

    private final Map<String, InMemoryRun> runs;

    InMemoryRunArchive(Map<String, InMemoryRun> runs) {
        this.runs = runs;
    }

    @Override
    public Optional<RunRecord> find(String run) {
        synchronized (runs) {
            return Optional.ofNullable(runs.get(run)).map(found -> found.toRecord(Instant.MAX));
        }
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, int limit) {
        synchronized (runs) {
            return runs.values().stream()
                    .map(run -> run.toRecord(Instant.MAX))
                    .filter(run -> pipeline.map(run.pipeline()::equals).orElse(true))
                    .sorted(Comparator.comparing(RunRecord::created).reversed().thenComparing(RunRecord::id))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<WorkerRecord> workers(String run) {
        synchronized (runs) {
            List<WorkerRecord> workers = new ArrayList<>();
            if (runs.containsKey(run)) {
                runs.get(run)
                        .workers
                        .forEach((token, worker) ->
                                workers.add(new WorkerRecord(new Lease(run, token), worker.node, worker.until)));
            }
            return workers;
        }
    }

    @Override
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        synchronized (runs) {
            List<DeadSample> found = new ArrayList<>();
            for (String id : runs.keySet().stream().sorted().toList()) {
                for (InMemoryRun.Stored stored : runs.get(id).samples.values()) {
                    if (found.size() == limit) {
                        return found;
                    }
                    dead(runs.get(id), stored).filter(filter::accepts).ifPresent(found::add);
                }
            }
            return found;
        }
    }

    @Override
    public Optional<SampleRecord> sample(String run, long ordinal) {
        synchronized (runs) {
            return Optional.ofNullable(runs.get(run))
                    .map(found -> found.samples.get(ordinal))
                    .map(stored -> stored.record);
        }
    }

    @Override
    public Optional<SampleRecord> sampleById(String run, String id) {
        synchronized (runs) {
            return samplesOf(run).stream()
                    .map(stored -> stored.record)
                    .filter(record -> record.id().equals(id))
                    .findFirst();
        }
    }

    @Override
    public List<StageAttempt> attempts(String run, long ordinal) {
        synchronized (runs) {
            return runs.containsKey(run)
                    ? List.copyOf(runs.get(run).attempts.getOrDefault(ordinal, List.of()))
                    : List.of();
        }
    }

    @Override
    public SortedMap<Integer, Long> retries(String run) {
        synchronized (runs) {
            SortedMap<Integer, Long> histogram = new TreeMap<>();
            for (InMemoryRun.Stored stored : samplesOf(run)) {
                List<StageAttempt> attempts = runs.get(run).attempts.get(stored.record.ordinal());
                if (attempts != null && stored.record.state().isFinal()) {
                    int retries = (int) attempts.stream()
                            .filter(attempt -> attempt.status() == AttemptStatus.RETRYING)
                            .count();
                    histogram.merge(retries, 1L, Long::sum);
                }
            }
            return histogram;
        }
    }

    @Override
    public List<ErrorCount> errors(String run, int limit) {
        synchronized (runs) {
            Map<List<String>, ErrorCount> counts = new LinkedHashMap<>();
            for (StageAttempt attempt : attemptsOf(run)) {
                if (attempt.status() == AttemptStatus.RETRYING || attempt.status() == AttemptStatus.FAILED) {
                    long dead = attempt.status() == AttemptStatus.FAILED ? 1 : 0;
                    ErrorCount one = new ErrorCount(attempt.stage(), attempt.errorType(), attempt.message(), 1, dead);
                    counts.merge(List.of(attempt.stage(), attempt.errorType()), one, InMemoryRunArchive::sum);
                }
            }
            return counts.values().stream()
                    .sorted(ErrorCount.MOST_COMMON_FIRST)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<StageCounts> stages(String run) {
        synchronized (runs) {
            Map<String, StageCounts> counts = new HashMap<>();
            for (StageAttempt attempt : attemptsOf(run)) {
                counts.merge(attempt.stage(), countOf(attempt), InMemoryRunArchive::sum);
            }
            List<String> order = new ArrayList<>(List.of(StageAttempt.SOURCE));
            if (runs.containsKey(run)) {
                order.addAll(runs.get(run).definition.stages());
            }
            return order.stream().filter(counts::containsKey).map(counts::get).toList();
        }
    }

    @Override
    public long reprocess(DeadFilter filter, Instant now) {
        synchronized (runs) {
            long revived = 0;
            for (InMemoryRun run : runs.values()) {
                for (InMemoryRun.Stored stored : run.samples.values()) {
                    if (stored.record.payload() != null
                            && dead(run, stored).filter(filter::accepts).isPresent()) {
                        run.revive(stored, now);
                        revived++;
                    }
                }
            }
            return revived;
        }
    }

    @Override
    public boolean cancel(String id, Instant now) {
        synchronized (runs) {
            InMemoryRun run = runs.get(id);
            if (run == null || run.status.isFinal() || run.status == RunStatus.CANCELLED) {
                return false;
            }
            run.end(RunStatus.CANCELLED, now);
            return true;
        }
    }

    @Override
    public boolean delete(String id, Instant now) {
        synchronized (runs) {
            InMemoryRun run = runs.get(id);
            if (run == null) {
                return false;
            }
            run.recover(now);
            if (!run.workers.isEmpty()) {
                throw new IllegalStateException("run '" + id + "' must not be deleted while " + run.workers.size()
                        + " processes work on it; stop or cancel it first");
            }
            return runs.remove(id) != null;
        }
    }

    private List<InMemoryRun.Stored> samplesOf(String run) {
        return runs.containsKey(run) ? List.copyOf(runs.get(run).samples.values()) : List.of();
    }

    private List<StageAttempt> attemptsOf(String run) {
        return runs.containsKey(run)
                ? runs.get(run).attempts.values().stream().flatMap(List::stream).toList()
                : List.of();
    }

    private static Optional<DeadSample> dead(InMemoryRun run, InMemoryRun.Stored stored) {
        if (stored.record.state() != SampleState.DEAD) {
            return Optional.empty();
        }
        return Optional.of(new DeadSample(
                run.definition.id(),
                run.definition.pipeline(),
                run.definition.stageAt(stored.record.stage()),
                stored.record));
    }

    private static ErrorCount sum(ErrorCount one, ErrorCount other) {
        return new ErrorCount(
                one.stage(),
                one.errorType(),
                one.message(),
                one.attempts() + other.attempts(),
                one.dead() + other.dead());
    }

    private static StageCounts countOf(StageAttempt attempt) {
        AttemptStatus status = attempt.status();
        return new StageCounts(
                attempt.stage(),
                status == AttemptStatus.SUCCESS ? 1 : 0,
                status == AttemptStatus.RETRYING ? 1 : 0,
                status == AttemptStatus.FAILED ? 1 : 0,
                status == AttemptStatus.SKIPPED ? 1 : 0,
                attempt.duration() == null ? Duration.ZERO : attempt.duration());
    }

    private static StageCounts sum(StageCounts one, StageCounts other) {
        return new StageCounts(
                one.stage(),
                one.succeeded() + other.succeeded(),
                one.retried() + other.retried(),
                one.failed() + other.failed(),
                one.skipped() + other.skipped(),
                one.time().plus(other.time()));
    }
}
