package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps runs in memory: for tests, for runs that end with their process, and as the reference for other stores. Keeps the
 * records of all samples and the whole audit trail, so memory use grows with the run. Thread-safe.
 */
public final class InMemoryRunStore implements RunStore {

    private static final Comparator<InMemoryRun.Stored> LONGEST_DUE_FIRST =
            Comparator.comparing(stored -> stored.record.due().orElse(Instant.MIN));

    private final Map<String, InMemoryRun> runs = new LinkedHashMap<>();
    private final InMemoryRunArchive archive = new InMemoryRunArchive(runs);
    private long lastToken;

    @Override
    public RunRecord open(RunDefinition definition, Instant now) {
        synchronized (runs) {
            InMemoryRun run = runs.computeIfAbsent(definition.id(), id -> new InMemoryRun(definition, now));
            run.definition.requireSame(definition);
            return run.toRecord(now);
        }
    }

    @Override
    public Lease join(String runId, String node, Duration lease, Instant now) {
        synchronized (runs) {
            InMemoryRun run = run(runId);
            run.recover(now);
            run.resume(now);
            Lease joined = new Lease(runId, ++lastToken);
            run.workers.put(joined.token(), new InMemoryRun.Worker(node, now.plus(lease)));
            return joined;
        }
    }

    @Override
    public List<SampleRecord> claim(Lease lease, long number, int max, Instant now) {
        synchronized (runs) {
            InMemoryRun run = run(lease.run());
            InMemoryRun.Worker worker = run.workers.get(lease.token());
            if (worker == null) {
                return List.of();
            }
            if (number <= worker.claims) {
                return run.pending.values().stream()
                        .filter(stored -> stored.token == lease.token() && stored.claim == number)
                        .map(stored -> stored.record)
                        .toList();
            }
            worker.claims = number;
            List<InMemoryRun.Stored> free = new ArrayList<>();
            for (InMemoryRun.Stored stored : run.pending.values()) {
                if (stored.isFree(now)) {
                    free.add(stored);
                }
            }
            if (!now.equals(Instant.MAX)) {
                free.sort(LONGEST_DUE_FIRST);
            }
            List<SampleRecord> claimed = new ArrayList<>();
            for (InMemoryRun.Stored stored : free.subList(0, Math.min(max, free.size()))) {
                stored.token = lease.token();
                stored.claim = number;
                claimed.add(stored.record);
            }
            return claimed;
        }
    }

    @Override
    public Optional<RunRecord> commit(Commit commit, Instant now) {
        synchronized (runs) {
            InMemoryRun run = run(commit.lease().run());
            InMemoryRun.Worker worker = run.workers.get(commit.lease().token());
            if (worker == null) {
                return Optional.empty();
            }
            if (commit.number() > worker.commits) {
                worker.commits = commit.number();
                run.apply(commit, now);
            }
            return Optional.of(run.toRecord(now));
        }
    }

    @Override
    public Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now) {
        synchronized (runs) {
            InMemoryRun run = run(lease.run());
            InMemoryRun.Worker worker = run.workers.get(lease.token());
            if (worker == null) {
                return Optional.empty();
            }
            worker.until = now.plus(length);
            run.recover(now);
            if (reads && run.reader == 0) {
                run.reader = lease.token();
            }
            return Optional.of(run.toRecord(now));
        }
    }

    @Override
    public Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now) {
        synchronized (runs) {
            InMemoryRun run = run(lease.run());
            if (!run.workers.containsKey(lease.token())) {
                return Optional.empty();
            }
            if (run.totals.isComplete()) {
                run.free(lease.token());
                run.rest(now);
                run.end(status, now);
            }
            return Optional.of(run.toRecord(now));
        }
    }

    @Override
    public void leave(Lease lease, RunStatus status, Instant now) {
        synchronized (runs) {
            InMemoryRun run = run(lease.run());
            if (!run.workers.containsKey(lease.token())) {
                return;
            }
            run.free(lease.token());
            run.rest(now);
            boolean last = run.workers.isEmpty();
            if (run.status == RunStatus.RUNNING && (last || status != RunStatus.STOPPED)) {
                run.end(status, now);
            }
        }
    }

    @Override
    public void evict(Lease lease) {
        synchronized (runs) {
            run(lease.run()).evict(lease.token());
        }
    }

    @Override
    public Optional<String> sinkPosition(String runId, String sink) {
        synchronized (runs) {
            return Optional.ofNullable(run(runId).sinks.get(sink));
        }
    }

    @Override
    public RunArchive archive() {
        return archive;
    }

    @Override
    public void close() {
        // Holds no resources.
    }

    private InMemoryRun run(String id) {
        InMemoryRun run = runs.get(id);
        if (run == null) {
            throw new IllegalArgumentException("there must be a run '" + id + "'; open it first");
        }
        return run;
    }
}
