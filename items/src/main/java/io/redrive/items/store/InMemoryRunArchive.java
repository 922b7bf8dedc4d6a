package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The archive of an {@link InMemoryRunStore}; guarded by the lock of the store. */
final class InMemoryRunArchive implements RunArchive {

    private final Map<String, InMemoryRun> runs;

    InMemoryRunArchive(Map<String, InMemoryRun> runs) {
        this.runs = runs;
    }

    @Override
    public Optional<RunRecord> find(String run, Instant now) {
        synchronized (runs) {
            return find(run).map(found -> found.shown(now));
        }
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, Optional<String> after, int limit, Instant now) {
        synchronized (runs) {
            List<RunRecord> newestFirst = runs.values().stream()
                    .map(run -> run.shown(now))
                    .sorted(Comparator.comparing(RunRecord::created).reversed().thenComparing(RunRecord::id))
                    .toList();
            List<String> ids = newestFirst.stream().map(RunRecord::id).toList();
            int from = after.map(id -> ids.contains(id) ? ids.indexOf(id) + 1 : ids.size())
                    .orElse(0);
            return newestFirst.stream()
                    .skip(from)
                    .filter(run -> pipeline.map(run.pipeline()::equals).orElse(true))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<WorkerRecord> workers(String run) {
        synchronized (runs) {
            List<WorkerRecord> workers = new ArrayList<>();
            find(run)
                    .ifPresent(found -> found.workers.forEach((token, worker) ->
                            workers.add(new WorkerRecord(new Lease(run, token), worker.node, worker.until))));
            return workers;
        }
    }

    @Override
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        synchronized (runs) {
            List<String> order = List.copyOf(runs.keySet());
            Comparator<DeadSample> newestFirst = Comparator.comparing(
                            (DeadSample dead) -> dead.death().at())
                    .thenComparing(dead -> order.indexOf(dead.run()))
                    .thenComparing(dead -> dead.sample().ordinal())
                    .reversed();
            return runs.values().stream()
                    .flatMap(InMemoryRunArchive::dead)
                    .filter(filter::accepts)
                    .filter(dead -> filter.after()
                            .map(last -> newestFirst.compare(last, dead) < 0)
                            .orElse(true))
                    .sorted(newestFirst)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public Optional<SampleRecord> sample(String run, long ordinal) {
        synchronized (runs) {
            return find(run).map(found -> found.samples.get(ordinal)).map(stored -> stored.record);
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
            return find(run)
                    .map(found -> List.copyOf(found.attempts.getOrDefault(ordinal, List.of())))
                    .orElse(List.of());
        }
    }

    @Override
    public SortedMap<Integer, Long> retries(String run) {
        synchronized (runs) {
            SortedMap<Integer, Long> histogram = new TreeMap<>();
            for (InMemoryRun.Stored stored : samplesOf(run)) {
                List<StageAttempt> attempts = attempts(run, stored.record.ordinal());
                if (!attempts.isEmpty() && stored.record.state().isFinal()) {
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
                    List<String> cause = List.of(attempt.stage(), attempt.errorType());
                    ErrorCount one = new ErrorCount(attempt.stage(), attempt.errorType(), attempt.message(), 1, 0);
                    counts.merge(cause, one, InMemoryRunArchive::sum);
                }
            }
            find(run).stream().flatMap(InMemoryRunArchive::dead).forEach(dead -> {
                String type = dead.death().errorType();
                counts.computeIfPresent(
                        List.of(dead.stage(), type),
                        (cause, count) -> sum(count, new ErrorCount(dead.stage(), type, "", 0, 1)));
            });
            return counts.values().stream()
                    .sorted(ErrorCount.MOST_COMMON_FIRST)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<StageCounts> stages(String run) {
        synchronized (runs) {
            Map<String, List<StageAttempt>> attempts =
                    attemptsOf(run).stream().collect(Collectors.groupingBy(StageAttempt::stage));
            List<String> order = new ArrayList<>(List.of(StageAttempt.SOURCE));
            order.addAll(stagesOf(run));
            return order.stream()
                    .filter(attempts::containsKey)
                    .map(stage -> counts(stage, attempts.getOrDefault(stage, List.of())))
                    .toList();
        }
    }

    @Override
    public List<StageSpending> spending(String run) {
        synchronized (runs) {
            return find(run).map(found -> List.copyOf(found.spending.values())).orElse(List.of());
        }
    }

    @Override
    public List<Throughput> throughput(String run, Duration interval) {
        synchronized (runs) {
            Map<Instant, Throughput> intervals = new TreeMap<>();
            List<String> stages = stagesOf(run);
            for (StageAttempt attempt : attemptsOf(run)) {
                AttemptStatus status = attempt.status();
                boolean through =
                        status == AttemptStatus.SUCCESS && attempt.stage().equals(stages.get(stages.size() - 1));
                if (through || status == AttemptStatus.SKIPPED || status == AttemptStatus.FAILED) {
                    Instant from = Throughput.intervalOf(attempt.at().plus(attempt.duration()), interval);
                    Throughput one = new Throughput(
                            from,
                            through ? 1 : 0,
                            status == AttemptStatus.SKIPPED ? 1 : 0,
                            status == AttemptStatus.FAILED ? 1 : 0);
                    intervals.merge(from, one, InMemoryRunArchive::sum);
                }
            }
            return List.copyOf(intervals.values());
        }
    }

    @Override
    public long reprocess(DeadFilter filter, Instant now) {
        synchronized (runs) {
            long revived = 0;
            for (InMemoryRun run : runs.values()) {
                for (InMemoryRun.Stored stored : run.samples.values()) {
                    if (stored.record.hasBytes()
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

    private Optional<InMemoryRun> find(String run) {
        return Optional.ofNullable(runs.get(run));
    }

    private List<String> stagesOf(String run) {
        return find(run).map(found -> found.definition.stages()).orElse(List.of());
    }

    private List<InMemoryRun.Stored> samplesOf(String run) {
        return find(run).map(found -> List.copyOf(found.samples.values())).orElse(List.of());
    }

    private List<StageAttempt> attemptsOf(String run) {
        return find(run).stream()
                .flatMap(found -> found.attempts.values().stream())
                .flatMap(List::stream)
                .toList();
    }

    private static Stream<DeadSample> dead(InMemoryRun run) {
        return run.samples.values().stream().flatMap(stored -> dead(run, stored).stream());
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

    private static Throughput sum(Throughput one, Throughput other) {
        return new Throughput(
                one.from(),
                one.succeeded() + other.succeeded(),
                one.skipped() + other.skipped(),
                one.dead() + other.dead());
    }

    private static StageCounts counts(String stage, List<StageAttempt> attempts) {
        List<Duration> times = attempts.stream().map(StageAttempt::duration).toList();
        return new StageCounts(
                stage,
                count(attempts, AttemptStatus.SUCCESS),
                count(attempts, AttemptStatus.RETRYING),
                count(attempts, AttemptStatus.FAILED),
                count(attempts, AttemptStatus.SKIPPED),
                times.stream().reduce(Duration.ZERO, Duration::plus),
                Percentiles.of(times));
    }

    private static long count(List<StageAttempt> attempts, AttemptStatus status) {
        return attempts.stream().filter(attempt -> attempt.status() == status).count();
    }
}
