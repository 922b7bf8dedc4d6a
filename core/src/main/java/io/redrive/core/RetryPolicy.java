package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * When to try again, as an immutable value. Every part of Redrive asks this one type through {@link #decide}; they only
 * differ in how they wait. Safe to share between threads.
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
    private final Duration maxDuration;
    private final Duration maxRetryAfter;
    private final Classification classification;
    private final List<RetryListener> callbacks;

    private RetryPolicy(Builder builder) {
        maxAttempts = builder.maxAttempts;
        backoff = builder.backoff;
        jitter = builder.jitter;
        maxDuration = builder.maxDuration;
        maxRetryAfter = builder.maxRetryAfter;
        classification = builder.classification();
        callbacks = List.copyOf(builder.callbacks);
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** One attempt and no retry: what {@code enabled: false} means in configuration. */
    public static RetryPolicy noRetry() {
        return builder()
                .maxAttempts(1)
                .backoff(Backoff.none())
                .jitter(Jitter.none())
                .build();
    }

    /** Reads a policy from flat keys such as {@code max-attempts}; see the guide for all of them. */
    public static RetryPolicy fromMap(Map<String, String> settings) {
        return PolicyConfig.fromMap(settings);
    }

    /**
     * Returns this policy changed by the settings named, with the keys of {@link #fromMap}; the rest stays as it is here. A list
     * replaces the list; {@code preset} starts from that preset instead; a bad setting is a {@link SettingException}.
     */
    public RetryPolicy with(Map<String, String> settings) {
        return PolicyConfig.changed(this, settings);
    }

    /** Reads the keys that start with {@code prefix + "."}. */
    public static RetryPolicy fromProperties(Properties properties, String prefix) {
        return PolicyConfig.fromProperties(properties, prefix);
    }

    /** {@link Presets#VISIBILITY}, changed by {@code RETRY_MAX_ATTEMPTS} and the other variables of that name. */
    public static RetryPolicy fromEnvironment(Map<String, String> environment) {
        return PolicyConfig.fromEnvironment(environment);
    }

    /**
     * Whether to try again after this failed attempt, and when. A pure function: the same attempt with the same random
     * source gives the same answer. Throws what a predicate, backoff or hint of the user throws; code that runs work asks
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
     * {@link #decide} that never throws. When a predicate, backoff, jitter source or hint of the user throws, the decision is
     * to give up as {@link Reason#NOT_RETRYABLE}: the failure of the work stays the error to record, and the mistake in the
     * policy is logged and added to the failure's exception as suppressed.
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

    /** Returns the delay that the failing side asked for, at most {@link #maxRetryAfter}; empty when there is none. */
    public Optional<Duration> retryAfter(Failure failure) {
        return failure.hint().map(this::atMostMaxRetryAfter);
    }

    /** Whether this returned value is refused by {@code retryOnResult}. */
    public boolean retriesResult(Object value) {
        return classification.retriesResult(value);
    }

    /** The schedule as a table, its worst case, and warnings about what looks wrong. */
    public Schedule explain() {
        return Schedule.of(this);
    }

    /** How often the work runs at most, the first try included. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** The wait after each failed attempt, before jitter. */
    public Backoff backoff() {
        return backoff;
    }

    /** The randomness added to the wait. */
    public Jitter jitter() {
        return jitter;
    }

    /** Total time allowed since the first attempt, if limited. */
    public Optional<Duration> maxDuration() {
        return Optional.ofNullable(maxDuration);
    }

    /** The longest wait that a server's hint can bring about; see {@link Builder#maxRetryAfter}. */
    public Duration maxRetryAfter() {
        return maxRetryAfter;
    }

    /** The callbacks that were given to the builder, for whoever runs work under this policy in a way of its own. */
    public List<RetryListener> callbacks() {
        return callbacks;
    }

    /** A builder that starts from this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** One line: attempts, backoff, jitter, time limit. */
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

    /** Builds a {@link RetryPolicy}; each rule is checked when it is given. Not thread-safe. */
    public static final class Builder {
        private int maxAttempts = 3;
        private Backoff backoff = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0);
        private Jitter jitter = Jitter.factor(0.1);
        Duration maxDuration;
        private Duration maxRetryAfter = Duration.ofDays(1);
        final List<Class<? extends Throwable>> retryOn = new ArrayList<>();
        final List<Class<? extends Throwable>> doNotRetryOn = new ArrayList<>();
        final Set<Integer> statuses = new LinkedHashSet<>();
        final Set<String> kinds = new LinkedHashSet<>();
        private Predicate<? super Throwable> retryIf;
        private Predicate<Object> retryOnResult;
        private boolean retryNone;
        private boolean retryExhausted;
        private final List<RetryListener> callbacks = new ArrayList<>();

        private Builder() {}

        private Builder(RetryPolicy from) {
            maxAttempts = from.maxAttempts;
            backoff = from.backoff;
            jitter = from.jitter;
            maxDuration = from.maxDuration;
            maxRetryAfter = from.maxRetryAfter;
            retryOn.addAll(from.classification.retryOn());
            doNotRetryOn.addAll(from.classification.doNotRetryOn());
            statuses.addAll(from.classification.statuses());
            kinds.addAll(from.classification.kinds());
            retryIf = from.classification.retryIf();
            retryOnResult = from.classification.retryOnResult();
            retryNone = from.classification.retryNone();
            retryExhausted = from.classification.retryExhausted();
            callbacks.addAll(from.callbacks);
        }

        /** How often the work runs at most, the first try included: {@code n} attempts have {@code n-1} waits. */
        public Builder maxAttempts(int attempts) {
            if (attempts < 1) {
                throw new IllegalArgumentException("maxAttempts must be at least 1, got " + attempts);
            }
            maxAttempts = attempts;
            return this;
        }

        /** The wait after each failed attempt. */
        public Builder backoff(Backoff value) {
            backoff = Objects.requireNonNull(value, "backoff");
            return this;
        }

        /** The randomness of the wait. */
        public Builder jitter(Jitter value) {
            jitter = Objects.requireNonNull(value, "jitter");
            return this;
        }

        /** Short for {@link Jitter#factor}: {@code 0.2} is ±20 %. */
        public Builder jitter(double factor) {
            return jitter(Jitter.factor(factor));
        }

        /** Total time since the first attempt; a wait that would end later is refused at once. */
        public Builder maxDuration(Duration limit) {
            maxDuration = DurationText.requirePositive("maxDuration", limit);
            return this;
        }

        /**
         * Longest wait that a server's hint ({@code Retry-After}, {@link HasRetryAfter}) can bring about; default one day, zero
         * ignores hints. The wait is never shorter than a hint within this limit. A hint above it waits for the limit and
         * tries again, so that one absurd header does not end work that the next attempt may finish.
         */
        public Builder maxRetryAfter(Duration limit) {
            maxRetryAfter = DurationText.atMostLongest(DurationText.requireNotNegative("maxRetryAfter", limit));
            return this;
        }

        /** Retries only these types, plus what other retry rules allow. */
        @SafeVarargs
        public final Builder retryOn(Class<? extends Throwable>... types) {
            for (Class<? extends Throwable> type : types) {
                retryOn.add(type);
            }
            return this;
        }

        /** Never retry these; at the same depth of the cause chain this is asked before {@link #retryOn}. */
        @SafeVarargs
        public final Builder doNotRetryOn(Class<? extends Throwable>... types) {
            for (Class<? extends Throwable> type : types) {
                doNotRetryOn.add(type);
            }
            return this;
        }

        /** Retry these HTTP statuses, of plain values and of exceptions that are {@link HasStatus}. */
        public Builder retryOnStatus(int... codes) {
            for (int code : codes) {
                statuses.add(((Failure.Status) Failure.status(code)).code());
            }
            return this;
        }

        /** Retry these kinds, of plain-value failures and of exceptions that are {@link HasKind}, such as {@code timeout}. */
        public Builder retryOnKind(String... names) {
            for (String name : names) {
                kinds.add(((Failure.Kind) Failure.kind(name)).name());
            }
            return this;
        }

        /** Retry exceptions that satisfy this, asked last, without the wrappers of asynchronous calls around them. */
        public Builder retryIf(Predicate<? super Throwable> predicate) {
            retryIf = Objects.requireNonNull(predicate, "predicate");
            return this;
        }

        /** Retry returned values that satisfy this. */
        public Builder retryOnResult(Predicate<Object> predicate) {
            retryOnResult = Objects.requireNonNull(predicate, "predicate");
            return this;
        }

        /** Shorthand: forget all allow rules; everything is retryable but what {@link #doNotRetryOn} names. */
        public Builder retryAll() {
            retryOn.clear();
            statuses.clear();
            kinds.clear();
            retryIf = null;
            retryNone = false;
            return this;
        }

        /** Shorthand: nothing is retryable. */
        public Builder retryNone() {
            retryNone = true;
            return this;
        }

        /** Also retry what an inner retry gave up on after exhausting its own attempts (default: no). */
        public Builder retryInnerExhaustion() {
            retryExhausted = true;
            return this;
        }

        /** Called before each wait; throwing changes nothing. */
        public Builder onRetry(Consumer<? super RetryListener.Retrying> callback) {
            return callback(RetryListener.onRetry(callback));
        }

        /** Called after each success, also the first time; throwing changes nothing. */
        public Builder onSuccess(Consumer<? super RetryListener.Succeeded> callback) {
            return callback(RetryListener.onSuccess(callback));
        }

        /** Called when attempts, time or budget ran out (not when a failure is simply not retryable). */
        public Builder onRetryExhausted(Consumer<? super RetryListener.GaveUp> callback) {
            return callback(RetryListener.onRetryExhausted(callback));
        }

        private Builder callback(RetryListener listener) {
            callbacks.add(listener);
            return this;
        }

        private Classification classification() {
            return new Classification(
                    retryOn, doNotRetryOn, statuses, kinds, retryIf, retryOnResult, retryNone, retryExhausted);
        }

        /** The policy. */
        public RetryPolicy build() {
            return new RetryPolicy(this);
        }
    }
}
