package io.redrive.items.run;

import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A store whose calls fail after {@code broken} is set. */
final class BrokenRunStore implements RunStore {

    private final RunStore store;
    volatile boolean broken;

    BrokenRunStore(RunStore store) {
        this.store = store;
    }

    private RunStore store() {
        if (broken) {
            throw new IllegalStateException("the store is away");
        }
        return store;
    }

    @Override
    public RunRecord open(RunDefinition definition, Instant now) {
        return store().open(definition, now);
    }

    @Override
    public Lease join(String run, String node, Duration lease, Instant now) {
        return store().join(run, node, lease, now);
    }

    @Override
    public List<SampleRecord> claim(Lease lease, long number, int max, Instant now) {
        return store().claim(lease, number, max, now);
    }

    @Override
    public Optional<RunRecord> commit(Commit commit, Instant now) {
        return store().commit(commit, now);
    }

    @Override
    public Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now) {
        return store().extend(lease, length, reads, now);
    }

    @Override
    public Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now) {
        return store().finish(lease, status, now);
    }

    @Override
    public void leave(Lease lease, RunStatus status, Instant now) {
        store().leave(lease, status, now);
    }

    @Override
    public void evict(Lease lease) {
        store().evict(lease);
    }

    @Override
    public Optional<String> sinkPosition(String run, String sink) {
        return store().sinkPosition(run, sink);
    }

    @Override
    public RunArchive archive() {
        return store().archive();
    }

    @Override
    public void close() {
        store.close();
    }
}
