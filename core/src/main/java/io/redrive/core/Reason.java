package io.redrive.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Why Redrive gave up; spelled the same in Java, SQL, HTTP, logs and metrics (see {@link #code()}). */
public enum Reason {
    /** The last allowed attempt failed. */
    MAX_ATTEMPTS_EXCEEDED,
    /** The next wait would have ended after the policy's {@code maxDuration}. */
    TTL_EXCEEDED,
    /** The policy does not retry this kind of failure. */
    NOT_RETRYABLE,
    /** The shared {@link RetryBudget} had no token left for another retry. */
    RETRY_BUDGET_EXHAUSTED,
    /** The {@link CircuitBreaker} let no call through. */
    CIRCUIT_OPEN,
    /** The last allowed attempt ran into its time limit. */
    TIMEOUT,
    /** The caller cancelled. */
    CANCELLED,
    /** The working thread was interrupted. */
    INTERRUPTED,
    /** The event failed validation and cannot be processed. */
    INVALID_EVENT,
    /** The handler ended with an error that is not an ordinary exception. */
    HANDLER_CRASHED,
    /** The event was in flight in too many processes that crashed. */
    POISON;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** Returns the spelling outside Java, such as {@code max_attempts_exceeded}. */
    public String code() {
        return code;
    }

    /** True when retrying was allowed but ran out: of attempts, of time, or of budget. */
    public boolean isExhaustion() {
        return this == MAX_ATTEMPTS_EXCEEDED
                || this == TTL_EXCEEDED
                || this == RETRY_BUDGET_EXHAUSTED
                || this == TIMEOUT;
    }

    /**
     * Returns the reason with this {@link #code()}.
     *
     * @throws IllegalArgumentException if no reason has this code
     */
    public static Reason of(String code) {
        for (Reason reason : values()) {
            if (reason.code.equals(code)) {
                return reason;
            }
        }
        throw new IllegalArgumentException("reason must be one of "
                + Arrays.stream(values()).map(Reason::code).collect(Collectors.joining(", ")) + "; got '" + code + "'");
    }

    @Override
    public String toString() {
        return code;
    }
}
