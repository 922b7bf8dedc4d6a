/**
 * One retry decision, in process: policies as values, the engine that runs blocking and asynchronous calls under them,
 * a circuit breaker, a retry budget, and a clock that tests can turn by hand. No dependencies.
 *
 * <p>Start at {@link io.redrive.core.RetryPolicy} (what to decide) and {@link io.redrive.core.Retry} (how to run).
 */
package io.redrive.core;
