package io.redrive.testkit;

import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A run store whose n-th call fails, before or after the call took effect, with a {@link FaultyStore.Fault}. The caller
 * sees the same exception in both cases. Repeat a test for n = 1, 2, 3, … until {@link #hasFailed()} stays false: by
 * then every store call of the test has failed once. Calls of the archive, and {@code close}, do not count.
 * Thread-safe.
 *
 * <pre>{@code
 * FaultyRunStore store = FaultyRunStore.failing(new InMemoryRunStore(), 3, FaultyStore.Moment.AFTER);
 * }</pre>
 */
public final class FaultyRunStore implements RunStore {

    private final RunStore store;
    private final FaultyCalls calls;

    private FaultyRunStore(RunStore store, FaultyCalls calls) {
        this.store = Objects.requireNonNull(store, "store");
        this.calls = calls;
    }

    /**
     * Fails one call of {@code store}.
     *
     * @param call the number of the call that fails, from 1
     * @param moment whether the failing call takes effect
     * @throws IllegalArgumentException when {@code call} is less than 1
     */
    public static FaultyRunStore failing(RunStore store, long call, Moment moment) {
        return new FaultyRunStore(store, new FaultyCalls("run store", call, moment));
    }

    /** Number of calls made so far. */
    public long calls() {
        return calls.made();
    }

    /** True once the failing call was made. */
    public boolean hasFailed() {
        return calls.hasFailed();
    }

    @Override
    public RunRecord open(RunDefinition definition, Instant now) {
        return calls.call("open", () -> store.open(definition, now));
    }

    @Override
    public Lease join(String run, String node, Duration lease, Instant now) {
        return calls.call("join", () -> store.join(run, node, lease, now));
    }

    @Override
    public List<SampleRecord> claim(Lease lease, long number, int max, Instant now) {
        return calls.call("claim", () -> store.claim(lease, number, max, now));
    }

    @Override
    public Optional<RunRecord> commit(Commit commit, Instant now) {
        return calls.call("commit", () -> store.commit(commit, now));
    }

    @Override
    public Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now) {
        return calls.call("extend", () -> store.extend(lease, length, reads, now));
    }

    @Override
    public Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now) {
        return calls.call("finish", () -> store.finish(lease, status, now));
    }

    @Override
    public void leave(Lease lease, RunStatus status, Instant now) {
        calls.call("leave", () -> {
            store.leave(lease, status, now);
            return null;
        });
    }

    @Override
    public void evict(Lease lease) {
        calls.call("evict", () -> {
            store.evict(lease);
            return null;
        });
    }

    @Override
    public Optional<String> sinkPosition(String run, String sink) {
        return calls.call("sinkPosition", () -> store.sinkPosition(run, sink));
    }

    @Override
    public RunArchive archive() {
        return store.archive();
    }

    @Override
    public void close() {
        store.close();
    }
}
