package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt failed: an exception, or a plain value where the caller has no exception (an HTTP status, a kind
 * such as {@code timeout}, a refused result).
 */
public sealed interface Failure {

    /**
     * Returns the delay that the failing side asked for. Empty when there is none or the exception's hint cannot be
     * read.
     */
    Optional<Duration> hint();

    /** Short name for grouping and metrics: {@code http_503}, the kind, an exception's class, or {@code result}. */
    String type();

    /** Returns a description for people. */
    String message();

    /** Longest {@link #type}; longer texts are cut. */
    int MAX_TYPE = 200;

    /** Longest {@link #message}; longer texts are cut. */
    int MAX_MESSAGE = 4_000;

    /**
     * An exception. Type, message, status, kind, hint and causes are read once, in the constructor: create this
     * object on the thread that ran the work. Exceptions thrown by the exception's own methods are contained. Methods
     * that the exception's class overrides are called on another thread and have two seconds: a fact that was not
     * read by then counts as absent. Two instances are equal when they hold the same exception object.
     */
    final class Thrown implements Failure {

        private final Throwable error;
        private final boolean exhausted;
        private final ThrownReading reading;

        /**
         * Reads {@code error}.
         *
         * @param error the exception
         * @param exhausted true when an inner retry exhausted its attempts with this exception, so that an outer
         *     retry gives up
         */
        public Thrown(Throwable error, boolean exhausted) {
            this(error, ThrownReading.of(Objects.requireNonNull(error, "error")), exhausted);
        }

        Thrown(Throwable error, ThrownReading reading, boolean exhausted) {
            this.error = error;
            this.reading = reading;
            this.exhausted = exhausted;
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

        /** Returns the exception's own message, without the class; {@link #message} when there is none. */
        public String detail() {
            return reading.detail();
        }

        /** Returns what the failing side answered; empty unless the exception {@linkplain HasAnswer carries} an answer. */
        public Optional<String> answer() {
            return reading.answer();
        }

        /**
         * Returns true when a log can print the stack trace: no method of the exception, its causes and its suppressed
         * exceptions throws or blocks. Tries to print, at each call.
         */
        public boolean isPrintable() {
            return reading.isPrintable();
        }

        ThrownReading reading() {
            return reading;
        }

        /** Returns true when the exception, or one of its causes, is a {@code type}. */
        boolean is(Class<? extends Throwable> type) {
            return CauseChain.find(reading.chain(), type) != null;
        }

        @Override
        public boolean equals(@Nullable Object other) {
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

    /** An HTTP status code, with the delay of a {@code Retry-After} header if present. */
    record Status(int code, Optional<Duration> hint) implements Failure {
        /** Refuses a code outside 100 to 599. */
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
    record Result(@Nullable Object value) implements Failure {
        @Override
        public Optional<Duration> hint() {
            return ThrownReading.HintReading.ofResult(value).delay();
        }

        @Override
        public String type() {
            return "result";
        }

        @Override
        public String message() {
            return "result " + shown() + " was not accepted";
        }

        /** The value's {@code toString} is user code, or calls user code, unless the value is a plain one. */
        private String shown() {
            if (value == null || value.getClass().getPackageName().equals("java.lang")) {
                return ThrownReading.cut(String.valueOf(value), MAX_MESSAGE / 2);
            }
            return BoundedReading.read(
                    () -> ThrownReading.cut(String.valueOf(value), MAX_MESSAGE / 2),
                    "of " + value.getClass().getName());
        }
    }

    /** Returns the failure of an attempt that threw. */
    static Failure thrown(Throwable error) {
        return new Thrown(error, false);
    }

    /** Returns the failure of an attempt that got an HTTP status. */
    static Failure status(int code) {
        return new Status(code, Optional.empty());
    }

    /** Returns the failure of an attempt that got an HTTP status and a delay to wait. */
    static Failure status(int code, Duration retryAfter) {
        return new Status(code, Optional.of(retryAfter));
    }

    /** Returns the failure of an attempt by its kind. */
    static Failure kind(String name) {
        return new Kind(name, Optional.empty());
    }

    /** Returns the failure of an attempt whose result {@link RetryPolicy.Builder#retryOnResult} refuses. */
    static Failure result(@Nullable Object value) {
        return new Result(value);
    }
}
