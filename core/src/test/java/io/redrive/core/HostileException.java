package io.redrive.core;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** An exception whose overridable methods all misbehave; counts the calls of each method. */
final class HostileException extends RuntimeException implements HasStatus, HasKind, HasRetryAfter {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<? extends Throwable> thrown;
    int asked;

    private HostileException(Supplier<? extends Throwable> thrown) {
        this.thrown = thrown;
    }

    /** Returns an exception whose methods throw the supplier's exceptions. */
    static HostileException throwing(Supplier<? extends Throwable> thrown) {
        return new HostileException(thrown);
    }

    /** An exception whose methods return null. */
    static HostileException ofNulls() {
        return new HostileException(() -> null);
    }

    private void misbehave() {
        asked++;
        Throwable error = thrown.get();
        if (error != null) {
            throw Undeclared.<RuntimeException>sneaky(error);
        }
    }

    @Override
    public String getMessage() {
        misbehave();
        return null;
    }

    @Override
    public String toString() {
        misbehave();
        return null;
    }

    @Override
    public synchronized Throwable getCause() {
        misbehave();
        return null;
    }

    @Override
    public int status() {
        misbehave();
        return -1;
    }

    @Override
    public String kind() {
        misbehave();
        return null;
    }

    @Override
    @SuppressWarnings("OptionalAssignedToNull")
    public Optional<Duration> retryAfter() {
        misbehave();
        return null;
    }

    @Override
    public boolean equals(Object other) {
        misbehave();
        return false;
    }

    @Override
    public int hashCode() {
        misbehave();
        return 0;
    }
}
