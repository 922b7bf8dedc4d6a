package io.redrive.testkit;

import io.redrive.events.EventStore;
import java.util.function.Supplier;

/**
 * An event store whose n-th call fails, before or after the call took effect. The caller sees the same exception in
 * both cases. Repeat a test for n = 1, 2, 3, … until {@link #hasFailed()} stays false: by then every store call of the
 * test has failed once. Calls of the dead letters, of the redrive operations, of the notes, of the activity, of the samples and of the
 * adoptions count; {@code exchangesAtOnce}, {@code describe}, {@code onPublished}, {@code deadLetters}, {@code redrives}, {@code notes},
 * {@code activity}, {@code samples}, {@code adoptions}, {@code flow}, {@code maxPayload} and {@code close} do not. Thread-safe.
 *
 * <pre>{@code
 * FaultyStore store = FaultyStore.failing(new InMemoryEventStore(), 3, FaultyStore.Moment.AFTER);
 * }</pre>
 */
public final class FaultyStore extends ForwardingStore {

    private final FaultyCalls calls;

    private FaultyStore(EventStore store, FaultyCalls calls) {
        super(store);
        this.calls = calls;
    }

    /** When a call fails. */
    public enum Moment {
        /** Before the call took effect. */
        BEFORE,
        /** After the call took effect: only the answer is lost. */
        AFTER
    }

    /** The failure of the n-th call. */
    public static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Fault(String message) {
            super(message);
        }
    }

    /**
     * Fails one call of {@code store}.
     *
     * @param call the number of the call that fails, from 1
     * @param moment whether the failing call takes effect
     * @throws IllegalArgumentException when {@code call} is less than 1
     */
    public static FaultyStore failing(EventStore store, long call, Moment moment) {
        return new FaultyStore(store, new FaultyCalls("store", call, moment));
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
    protected <T> T forward(String call, Supplier<T> action) {
        return calls.call(call, action);
    }
}
