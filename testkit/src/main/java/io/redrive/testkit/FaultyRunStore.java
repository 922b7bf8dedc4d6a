package io.redrive.testkit;

import io.redrive.items.Commit;
import io.redrive.items.Lease;
import io.redrive.items.RunArchive;
import io.redrive.items.RunDefinition;
import io.redrive.items.RunRecord;
import io.redrive.items.RunStatus;
import io.redrive.items.RunStore;
import io.redrive.items.SampleRecord;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A run store whose n-th call fails, before or after it took effect: the caller sees the same exception and cannot know.
 * Run a test once for every n until {@link #hasFailed()} stays false, and every store call in it has failed once. Calls of
 * the archive, and {@code close}, do not count. Thread-safe.
 *
 * <pre>{@code
 * FaultyRunStore store = FaultyRunStore.failing(new InMemoryRunStore(), 3, FaultyStore.Moment.AFTER);
 * }</pre>
 */
public final class FaultyRunStore implements RunStore {

    private final RunStore store;
    private final long failing;
    private final Moment moment;
    private final AtomicLong calls = new AtomicLong();

    private FaultyRunStore(RunStore store, long failing, Moment moment) {
        this.store = Objects.requireNonNull(store, "store");
        this.failing = failing;
        this.moment = Objects.requireNonNull(moment, "moment");
    }

    /** The failure this store makes up. */
    public static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Fault(long call, String name, Moment moment) {
            super("injected: run store call " + call + " (" + name + ") failed "
                    + (moment == Moment.BEFORE ? "before" : "after") + " it took effect");
        }
    }

    /** Fails the {@code call}-th call, counted from 1; no other. */
    public static FaultyRunStore failing(RunStore store, long call, Moment moment) {
        if (call < 1) {
            throw new IllegalArgumentException("call must be at least 1, got " + call);
        }
        return new FaultyRunStore(store, call, moment);
    }

    /** How many calls were made. */
    public long calls() {
        return calls.get();
    }

    /** True once the failing call was made. */
    public boolean hasFailed() {
        return calls.get() >= failing;
    }

    @Override
    public RunRecord open(RunDefinition definition, Instant now) {
        return call("open", () -> store.open(definition, now));
    }

    @Override
    public Lease join(String run, String node, Duration lease, Instant now) {
        return call("join", () -> store.join(run, node, lease, now));
    }

    @Override
    public List<SampleRecord> claim(Lease lease, long number, int max, Instant now) {
        return call("claim", () -> store.claim(lease, number, max, now));
    }

    @Override
    public Optional<RunRecord> commit(Commit commit, Instant now) {
        return call("commit", () -> store.commit(commit, now));
    }

    @Override
    public Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now) {
        return call("extend", () -> store.extend(lease, length, reads, now));
    }

    @Override
    public Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now) {
        return call("finish", () -> store.finish(lease, status, now));
    }

    @Override
    public void leave(Lease lease, RunStatus status, Instant now) {
        call("leave", () -> {
            store.leave(lease, status, now);
            return null;
        });
    }

    @Override
    public void evict(Lease lease) {
        call("evict", () -> {
            store.evict(lease);
            return null;
        });
    }

    @Override
    public Optional<String> sinkPosition(String run, String sink) {
        return call("sinkPosition", () -> store.sinkPosition(run, sink));
    }

    @Override
    public RunArchive archive() {
        return store.archive();
    }

    @Override
    public void close() {
        store.close();
    }

    private <T> T call(String name, Supplier<T> action) {
        boolean fails = calls.incrementAndGet() == failing;
        if (fails && moment == Moment.BEFORE) {
            throw new Fault(failing, name, moment);
        }
        T answer = action.get();
        if (fails) {
            throw new Fault(failing, name, moment);
        }
        return answer;
    }
}
