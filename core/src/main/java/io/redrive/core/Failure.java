package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How an attempt failed: an exception, or a plain value where the caller has no exception at hand (an HTTP status, a kind
 * such as {@code timeout}, a returned result that will not do).
 */
public sealed interface Failure {

    /** The delay the failing side asked for, if it did. */
    Optional<Duration> hint();

    /** Short name for grouping and metrics: {@code http_503}, the kind, an exception's class, or {@code result}. */
    String type();

    /** What a person should read about it. */
    String message();

    /**
     * An exception.
     *
     * @param error what was thrown
     * @param exhausted true when an inner retry threw it after running out, so that an outer one leaves it alone
     */
    record Thrown(Throwable error, boolean exhausted) implements Failure {
        /** Refuses null. */
        public Thrown {
            Objects.requireNonNull(error, "error");
        }

        @Override
        public Optional<Duration> hint() {
            HasRetryAfter carrier = CauseChain.find(error, HasRetryAfter.class);
            return carrier == null ? Optional.empty() : carrier.retryAfter();
        }

        @Override
        public String type() {
            Throwable unwrapped = CauseChain.unwrap(error);
            if (unwrapped instanceof HasStatus carrier) {
                return "http_" + carrier.status();
            }
            if (unwrapped instanceof HasKind carrier) {
                return carrier.kind();
            }
            Class<?> type = unwrapped.getClass();
            // An anonymous class has no name of its own; what it extends says more than nothing.
            return (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
        }

        /** An exception that says its type by a status or a kind need not say it by its class too. */
        @Override
        public String message() {
            Throwable unwrapped = CauseChain.unwrap(error);
            boolean typed = unwrapped instanceof HasStatus || unwrapped instanceof HasKind;
            return typed && unwrapped.getMessage() != null ? unwrapped.getMessage() : unwrapped.toString();
        }
    }

    /** An HTTP status code, with the delay of a {@code Retry-After} header where there was one. */
    record Status(int code, Optional<Duration> hint) implements Failure {
        /** Refuses what is no HTTP status. */
        public Status {
            if (code < 100 || code > 599) {
                throw new IllegalArgumentException("HTTP status must be between 100 and 599, got " + code);
            }
        }

        @Override
        public String type() {
            return "http_" + code;
        }

        @Override
        public String message() {
            return "HTTP status " + code;
        }
    }

    /** A named kind of failure, such as {@code timeout} or {@code econnrefused}. */
    record Kind(String name, Optional<Duration> hint) implements Failure {
        /** Refuses a blank name. */
        public Kind {
            if (name.isBlank()) {
                throw new IllegalArgumentException("failure kind must not be blank");
            }
        }

        @Override
        public String type() {
            return name;
        }

        @Override
        public String message() {
            return name;
        }
    }

    /** A returned value that {@link RetryPolicy.Builder#retryOnResult} refuses; may be null. */
    record Result(Object value) implements Failure {
        @Override
        public Optional<Duration> hint() {
            return value instanceof HasRetryAfter carrier ? carrier.retryAfter() : Optional.empty();
        }

        @Override
        public String type() {
            return "result";
        }

        @Override
        public String message() {
            return "result " + value + " was not accepted";
        }
    }

    /** A failure by exception. */
    static Failure thrown(Throwable error) {
        return new Thrown(error, false);
    }

    /** A failure by HTTP status. */
    static Failure status(int code) {
        return new Status(code, Optional.empty());
    }

    /** A failure by HTTP status whose server asked to wait. */
    static Failure status(int code, Duration retryAfter) {
        return new Status(code, Optional.of(retryAfter));
    }

    /** A failure by kind. */
    static Failure kind(String name) {
        return new Kind(name, Optional.empty());
    }

    /** A returned value that will not do. */
    static Failure result(Object value) {
        return new Result(value);
    }
}
