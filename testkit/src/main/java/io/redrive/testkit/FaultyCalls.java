package io.redrive.testkit;

import io.redrive.testkit.FaultyStore.Fault;
import io.redrive.testkit.FaultyStore.Moment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Counts the calls of a store and fails the n-th. Thread-safe. */
final class FaultyCalls {

    private final String subject;
    private final long failing;
    private final Moment moment;
    private final AtomicLong made = new AtomicLong();

    /** Fails call number {@code failing}; messages call the store {@code subject}. */
    FaultyCalls(String subject, long failing, Moment moment) {
        if (failing < 1) {
            throw new IllegalArgumentException("call must be at least 1, got " + failing);
        }
        this.subject = subject;
        this.failing = failing;
        this.moment = Objects.requireNonNull(moment, "moment");
    }

    long made() {
        return made.get();
    }

    boolean hasFailed() {
        return made.get() >= failing;
    }

    <T> T call(String name, Supplier<T> action) {
        boolean fails = made.incrementAndGet() == failing;
        if (fails && moment == Moment.BEFORE) {
            throw fault(name, "before");
        }
        T answer = action.get();
        if (fails) {
            throw fault(name, "after");
        }
        return answer;
    }

    private Fault fault(String name, String when) {
        return new Fault(
                "injected: " + subject + " call " + failing + " (" + name + ") failed " + when + " it took effect");
    }
}
