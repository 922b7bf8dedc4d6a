package io.redrive.bench;

import dev.failsafe.function.CheckedSupplier;
import io.redrive.core.Operation;
import java.util.concurrent.Callable;
import org.springframework.core.retry.Retryable;

/**
 * The work under measurement: fails a fixed number of times, succeeds, and starts over. Implements the callable of every
 * library, because no library should pay for an adapter. The exception is created once and has no stack trace: a stack trace
 * costs more than all engines together.
 */
final class FlakyCall
        implements Operation<Object, RuntimeException>, Callable<Object>, CheckedSupplier<Object>, Retryable<Object> {

    private static final RuntimeException FAILURE = new TransientFailure();

    private final int failures;
    private final Object value = new Object();
    private int failed;

    FlakyCall(int failures) {
        this.failures = failures;
    }

    @Override
    public Object run() {
        if (failed < failures) {
            failed++;
            throw FAILURE;
        }
        failed = 0;
        return value;
    }

    @Override
    public Object call() {
        return run();
    }

    @Override
    public Object get() {
        return run();
    }

    @Override
    public Object execute() {
        return run();
    }

    static final class TransientFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TransientFailure() {
            super("transient", null, false, false);
        }
    }
}
