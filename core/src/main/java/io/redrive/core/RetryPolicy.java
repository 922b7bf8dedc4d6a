package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when to try again after a failed attempt. Every module of Redrive asks {@link #decide}; modules differ
 * only in how they wait. Immutable and thread-safe.
 *
 * <p>Defaults: 3 attempts, exponential backoff from 100 ms doubling up to 10 s, jitter ±10 %, no time limit, every
 * failure retryable.
 *
 * <pre>{@code
 * RetryPolicy policy = RetryPolicy.builder()
 *         .maxAttempts(5)
 *         .backoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30), 2.0))
 *         .jitter(0.2)
 *         .retryOn(IOException.class, TimeoutException.class)
 *         .build();
 * }</pre>
 */
public final class RetryPolicy {

    private final int maxAttempts;
    private final Backoff backoff;
    private final Jitter jitter;
    private final @Nullable Duration maxDuration;
    private final Duration maxRetryAfter;
    private final Classification classification;
    private final List<RetryListener> callbacks;

    private RetryPolicy(Builder builder) {
        maxAttempts = builder.maxAttempts;
        backoff = builder.backoff;
        jitter = builder.jitter;
        maxDuration = builder.maxDuration;
        maxRetryAfter = builder.maxRetryAfter;
        classification = builder.rules.build();
        callbacks = List.copyOf(builder.callbacks);
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a policy of one attempt and no retry, as {@code enabled: false} in settings. */
    public static RetryPolicy noRetry() {
        return builder()
                .maxAttempts(1)
                .backoff(Backoff.none())
                .jitter(Jitter.none())
                .build();
    }

    /**
     * Reads a policy from flat keys such as {@code max-attempts}; the guide lists all keys.
     *
     * @throws SettingException for an unknown key or a bad value
     */
    public static RetryPolicy fromMap(Map<String, String> settings) {
        return PolicyConfig.fromMap(settings);
    }

    /**
     * Returns this policy changed by settings with the keys of {@link #fromMap}; parts without a setting stay. A list replaces
     * the list in force; {@code preset} starts from the preset instead of this policy.
     *
     * @throws SettingException for an unknown key or a bad value
     */
    public RetryPolicy with(Map<String, String> settings) {
        return PolicyConfig.changed(this, settings);
    }

    /** Reads a policy from the keys that start with {@code prefix + "."}. */
    public static RetryPolicy fromProperties(Properties properties, String prefix) {
        return PolicyConfig.fromProperties(properties, prefix);
    }

    /** Returns {@link Presets#VISIBILITY}, changed by {@code RETRY_MAX_ATTEMPTS}, {@code RETRY_TTL_MINUTES} and so on. */
    public static RetryPolicy fromEnvironment(Map<String, String> environment) {
        return PolicyConfig.fromEnvironment(environment);
    }

    /**
     * Decides whether to try again after a failed attempt, and when. A pure function: the same attempt with the same random
     * source gets the same decision. Throws whatever a predicate, backoff or hint of the user throws; code that runs work calls
     * {@link #decideSafely} instead.
     */
    public Decision decide(Attempt attempt) {
        Failure failure = attempt.failure();
        Reason refusal = classification.refusal(failure);
        if (refusal != null) {
            return Decision.giveUp(refusal);
        }
        if (attempt.number() >= maxAttempts) {
            return Decision.giveUp(exhaustedBy(failure));
        }
        Duration delay = delayAfter(attempt);
        if (maxDuration != null && delay.compareTo(maxDuration.minus(attempt.elapsed())) > 0) {
            return Decision.giveUp(Reason.TTL_EXCEEDED);
        }
        return new Decision.RetryAfter(delay);
    }

    /**
     * Decides as {@link #decide} and never throws. When a predicate, backoff, jitter source or hint of the user throws, the
     * decision is to give up as {@link Reason#NOT_RETRYABLE}; the exception is logged and becomes a suppressed exception of the
     * work's failure, which stays the error to record.
     */
    public Decision decideSafely(Attempt attempt) {
        Objects.requireNonNull(attempt, "attempt");
        try {
            return decide(attempt);
        } catch (Throwable mistake) {
            GuardedLog.warn("retry policy threw; giving up: ", mistake);
            if (attempt.failure() instanceof Failure.Thrown thrown) {
                Suppression.add(thrown.error(), mistake);
            }
            if (mistake instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return Decision.giveUp(Reason.NOT_RETRYABLE);
        }
    }

    /** Returns the failure's hint, at most {@link #maxRetryAfter}; empty without a hint. */
    public Optional<Duration> retryAfter(Failure failure) {
        return failure.hint().map(this::atMostMaxRetryAfter);
    }

    /** Returns true when {@code retryOnResult} refuses this value. */
    public boolean retriesResult(@Nullable Object value) {
        return classification.retriesResult(value);
    }

    /** Returns the waits as a table, the worst case, and warnings about settings that look like mistakes. */
    public Schedule explain() {
        return Schedule.of(this);
    }

    /** Returns the most attempts of a call, the first included. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** Returns the backoff, which computes the delay before jitter. */
    public Backoff backoff() {
        return backoff;
    }

    /** Returns the jitter. */
    public Jitter jitter() {
        return jitter;
    }

    /** Returns the limit of the time since the first attempt, if set. */
    public Optional<Duration> maxDuration() {
        return Optional.ofNullable(maxDuration);
    }

    /** Returns the longest wait that a hint can cause; see {@link Builder#maxRetryAfter}. */
    public Duration maxRetryAfter() {
        return maxRetryAfter;
    }

    /** Returns the builder's callbacks, for code that runs attempts under this policy without a {@link Retry}. */
    public List<RetryListener> callbacks() {
        return callbacks;
    }

    /** Returns a builder that starts from this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns attempts, backoff, jitter and time limit in one line. */
    @Override
    public String toString() {
        return maxAttempts
                + (maxAttempts == 1 ? " attempt" : " attempts, " + backoff + ", " + jitter)
                + (maxDuration == null ? "" : ", within " + DurationText.format(maxDuration));
    }

    boolean hasTtl() {
        return maxDuration != null;
    }

    boolean looksAtResults() {
        return classification.retryOnResult() != null;
    }

    Jitter.Wait waitAfter(int attempt, Duration previousDelay) {
        return new Jitter.Wait(backoff.delay(attempt), backoff.delay(1), previousDelay, backoff.max());
    }

    private Duration delayAfter(Attempt attempt) {
        Duration delay = jitter instanceof Jitter.None
                ? backoff.delay(attempt.number())
                : jitter.apply(waitAfter(attempt.number(), attempt.previousDelay()), attempt.random());
        Duration hint = ThrownReading.HintReading.of(attempt.failure())
                .orThrow()
                .map(this::atMostMaxRetryAfter)
                .orElse(Duration.ZERO);
        return hint.compareTo(delay) > 0 ? hint : DurationText.atMostLongest(delay);
    }

    private Duration atMostMaxRetryAfter(Duration hint) {
        return hint.compareTo(maxRetryAfter) > 0 ? maxRetryAfter : hint;
    }

    private static Reason exhaustedBy(Failure failure) {
        return failure instanceof Failure.Thrown thrown && thrown.is(AttemptTimeoutException.class)
                ? Reason.TIMEOUT
                : Reason.MAX_ATTEMPTS_EXCEEDED;
    }

    /** Builds a {@link RetryPolicy}. Each method checks its argument at once and replaces an earlier value. Not thread-safe. */
    public static final class Builder {
        private int maxAttempts = 3;
        private Backoff backoff = ExponentialBackoff.USUAL;
        private Jitter jitter = Jitter.factor(0.1);

        @Nullable
        Duration maxDuration;

        private Duration maxRetryAfter = Duration.ofDays(1);
        final Classification.Rules rules;
        private final List<RetryListener> callbacks = new ArrayList<>();

        private Builder() {
            rules = new Classification.Rules();
        }

        private Builder(RetryPolicy from) {
            maxAttempts = from.maxAttempts;
            backoff = from.backoff;
            jitter = from.jitter;
            maxDuration = from.maxDuration;
            maxRetryAfter = from.maxRetryAfter;
            rules = new Classification.Rules(from.classification);
            callbacks.addAll(from.callbacks);
        }

        /**
         * Sets the most attempts of a call: {@code n} attempts have {@code n-1} waits. Default: 3.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder maxAttempts(int attempts) {
            if (attempts < 1) {
                throw new IllegalArgumentException("maxAttempts must be at least 1, got " + attempts);
            }
            maxAttempts = attempts;
            return this;
        }

        /** Sets the delay after each failed attempt. Default: exponential, from 100 ms doubling up to 10 s. */
        public Builder backoff(Backoff value) {
            backoff = Objects.requireNonNull(value, "backoff");
            return this;
        }

        /** Sets the randomness of the wait. Default: ±10 %. */
        public Builder jitter(Jitter value) {
            jitter = Objects.requireNonNull(value, "jitter");
            return this;
        }

        /** Sets {@link Jitter#factor}: {@code 0.2} is ±20 %. */
        public Builder jitter(double factor) {
            return jitter(Jitter.factor(factor));
        }

        /**
         * Limits the time since the first attempt. Default: no limit. A call gives up at once instead of beginning a wait that
         * would end after the limit.
         *
         * @throws IllegalArgumentException if the limit is not longer than zero
         */
        public Builder maxDuration(Duration limit) {
            maxDuration = DurationText.requirePositive("maxDuration", limit);
            return this;
        }

        /**
         * Limits the wait that a hint ({@code Retry-After}, {@link HasRetryAfter}) can cause. Default: one day; zero ignores
         * hints. The wait is never shorter than a hint within the limit. After a longer hint the wait is the limit, so that an
         * absurd header does not end work that the next attempt may finish.
         *
         * @throws IllegalArgumentException if the limit is negative
         */
        public Builder maxRetryAfter(Duration limit) {
            maxRetryAfter = DurationText.atMostLongest(DurationText.requireNotNegative("maxRetryAfter", limit));
            return this;
        }

        /** Adds types to retry. Default: every failure is retryable; with any allow rule, only failures that match one. */
        @SafeVarargs
        public final Builder retryOn(Class<? extends Throwable>... types) {
            for (Class<? extends Throwable> type : types) {
                rules.retryOn.add(type);
            }
            return this;
        }

        /** Adds types that are never retried; at the same depth of the cause chain they win over {@link #retryOn}. */
        @SafeVarargs
        public final Builder doNotRetryOn(Class<? extends Throwable>... types) {
            for (Class<? extends Throwable> type : types) {
                rules.doNotRetryOn.add(type);
            }
            return this;
        }

        /** Adds HTTP statuses to retry, of plain values and of exceptions that implement {@link HasStatus}. */
        public Builder retryOnStatus(int... codes) {
            for (int code : codes) {
                rules.statuses.add(((Failure.Status) Failure.status(code)).code());
            }
            return this;
        }

        /** Adds kinds to retry, of plain values and of exceptions that implement {@link HasKind}. */
        public Builder retryOnKind(String... names) {
            for (String name : names) {
                rules.kinds.add(((Failure.Kind) Failure.kind(name)).name());
            }
            return this;
        }

        /** Retries exceptions that match, after all other rules; gets the exception without asynchronous wrappers. */
        public Builder retryIf(Predicate<? super Throwable> predicate) {
            rules.retryIf = Objects.requireNonNull(predicate, "predicate");
            return this;
        }

        /** Retries returned values that match. Default: every value is a success. */
        public Builder retryOnResult(Predicate<Object> predicate) {
            rules.retryOnResult = Objects.requireNonNull(predicate, "predicate");
            return this;
        }

        /** Removes all allow rules: every failure is retryable except the types of {@link #doNotRetryOn}. */
        public Builder retryAll() {
            rules.retryOn.clear();
            rules.statuses.clear();
            rules.kinds.clear();
            rules.retryIf = null;
            rules.retryNone = false;
            return this;
        }

        /** Retries no failure, whatever the allow rules. */
        public Builder retryNone() {
            rules.retryNone = true;
            return this;
        }

        /** Also retries failures that an inner retry has exhausted. Default: when retries are nested, only the innermost retries. */
        public Builder retryInnerExhaustion() {
            rules.retryExhausted = true;
            return this;
        }

        /** Adds a callback before each wait; an exception it throws is logged. */
        public Builder onRetry(Consumer<? super RetryListener.Retrying> callback) {
            return callback(RetryListener.onRetry(callback));
        }

        /** Adds a callback after each successful call; an exception it throws is logged. */
        public Builder onSuccess(Consumer<? super RetryListener.Succeeded> callback) {
            return callback(RetryListener.onSuccess(callback));
        }

        /** Adds a callback for calls that exhausted attempts, time or budget; not for failures that are not retryable. */
        public Builder onRetryExhausted(Consumer<? super RetryListener.GaveUp> callback) {
            return callback(RetryListener.onRetryExhausted(callback));
        }

        private Builder callback(RetryListener listener) {
            callbacks.add(listener);
            return this;
        }

        /** Returns the policy. */
        public RetryPolicy build() {
            return new RetryPolicy(this);
        }
    }
}
