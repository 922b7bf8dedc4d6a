package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How an attempt failed: an exception, or a plain value where the caller has no exception at hand (an HTTP status, a kind
 * such as {@code timeout}, a returned result that will not do).
 */
public sealed interface Failure {

    /** The delay the failing side asked for, if it did; empty also when the exception's hint cannot be read. */
    Optional<Duration> hint();

    /** Short name for grouping and metrics: {@code http_503}, the kind, an exception's class, or {@code result}. */
    String type();

    /** What a person should read about the failure. */
    String message();

    /** Longest {@link #type}; a longer one is cut. */
    int MAX_TYPE = 200;

    /** Longest {@link #message}; a longer one is cut. */
    int MAX_MESSAGE = 4_000;

    /**
     * An exception. Its type, message, status, kind, hint and causes are read once, when this object is made: make it on the
     * thread that ran the work. Nothing that the exception's methods throw gets out. Two of these are equal when they are
     * about the same exception object.
     */
    final class Thrown implements Failure {

        private final Throwable error;
        private final boolean exhausted;
        private final ThrownReading reading;

        /**
         * Reads {@code error}.
         *
         * @param error what was thrown
         * @param exhausted true when an inner retry threw it after running out, so that an outer one leaves it alone
         */
        public Thrown(Throwable error, boolean exhausted) {
            this.error = Objects.requireNonNull(error, "error");
            this.exhausted = exhausted;
            reading = ThrownReading.of(error);
        }

        /** Returns the exception. */
        public Throwable error() {
            return error;
        }

        /** Returns true when an inner retry threw the exception after running out. */
        public boolean exhausted() {
            return exhausted;
        }

        @Override
        public Optional<Duration> hint() {
            return reading.hint().delay();
        }

        @Override
        public String type() {
            return reading.type();
        }

        @Override
        public String message() {
            return reading.message();
        }

        ThrownReading reading() {
            return reading;
        }

        /** Returns true when the exception, or a cause of it, is a {@code type}. */
        boolean is(Class<? extends Throwable> type) {
            return CauseChain.find(reading.chain(), type) != null;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Thrown thrown && thrown.error == error && thrown.exhausted == exhausted;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(error);
        }

        @Override
        public String toString() {
            return "Thrown[" + message() + (exhausted ? ", exhausted]" : "]");
        }
    }

    /** An HTTP status code, with the delay of a {@code Retry-After} header where there was one. */
    record Status(int code, Optional<Duration> hint) implements Failure {
        /** Refuses what is no HTTP status. */
        public Status {
            if (code < 100 || code > 599) {
                throw new IllegalArgumentException("HTTP status must be between 100 and 599, got " + code);
            }
            Objects.requireNonNull(hint, "hint");
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
            Objects.requireNonNull(hint, "hint");
        }

        @Override
        public String type() {
            return ThrownReading.cut(name, MAX_TYPE);
        }

        @Override
        public String message() {
            return ThrownReading.cut(name, MAX_MESSAGE);
        }
    }

    /** A returned value that {@link RetryPolicy.Builder#retryOnResult} refuses; may be null. */
    record Result(Object value) implements Failure {
        @Override
        public Optional<Duration> hint() {
            return ThrownReading.HintReading.of(value).delay();
        }

        @Override
        public String type() {
            return "result";
        }

        @Override
        public String message() {
            return "result " + shown() + " was not accepted";
        }

        /** The value's {@code toString} is user code. */
        private String shown() {
            try {
                return ThrownReading.cut(String.valueOf(value), MAX_MESSAGE / 2);
            } catch (Throwable unreadable) {
                return "of " + value.getClass().getName();
            }
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
