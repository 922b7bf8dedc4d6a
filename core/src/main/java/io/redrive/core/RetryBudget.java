package io.redrive.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Caps retries at a share of first attempts, for all calls to one downstream together, so that retries cannot turn a
 * brown-out into an outage. A token bucket: each first attempt puts in {@code share} tokens, each retry takes out its
 * cost. Thread-safe and lock-free; share one instance between the calls it is to hold together.
 *
 * <p>Defaults: 10 % of first attempts, 10 tokens in reserve at the start, at most 100 saved up, a retry costs 1.
 *
 * <pre>{@code
 * RetryBudget payments = RetryBudget.of("payments");
 * Retry charge = Retry.with(policy).budget(payments);
 * }</pre>
 */
public final class RetryBudget {

    private static final double UNIT = 1_000_000;

    private final String name;
    private final AtomicLong tokens;
    private volatile Settings settings;

    /** All in millionths of a token. */
    private record Settings(long share, long size, long retryCost, long timeoutCost) {}

    private RetryBudget(Builder builder) {
        name = builder.name;
        settings = new Settings(
                Math.round(builder.share * UNIT),
                Math.round(builder.size * UNIT),
                Math.round(builder.retryCost * UNIT),
                Math.round(builder.timeoutCost * UNIT));
        tokens = new AtomicLong(Math.round(builder.reserve * UNIT));
    }

    /** A budget with the defaults. */
    public static RetryBudget of(String name) {
        return builder(name).build();
    }

    /** A builder with the defaults. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Notes a first attempt, which earns a share of a retry. */
    public void firstAttempt() {
        Settings given = settings;
        long now = tokens.get();
        while (now < given.size && !tokens.compareAndSet(now, Math.min(given.size, now + given.share))) {
            now = tokens.get();
        }
    }

    /**
     * Takes the tokens for retrying {@code failure}; false, and nothing taken, when there are not enough. A failure that was
     * recorded is asked about by its type: {@code Failure.kind("timeout")} costs as much as the time-out itself.
     */
    public boolean tryRetry(Failure failure) {
        long cost = isTimeout(failure) ? settings.timeoutCost : settings.retryCost;
        long now = tokens.get();
        while (now >= cost) {
            if (tokens.compareAndSet(now, now - cost)) {
                return true;
            }
            now = tokens.get();
        }
        return false;
    }

    /** Takes out all tokens, to put them where several processes share them; {@link #refill} brings some back. */
    public double drain() {
        return tokens.getAndSet(0) / UNIT;
    }

    /** Puts tokens in, up to the size. */
    public void refill(double added) {
        long more = Math.round(require("refill", added, 0, size()) * UNIT);
        long size = settings.size;
        tokens.updateAndGet(now -> Math.min(size, now + more));
    }

    /**
     * Goes on with the settings of {@code other}, whoever uses this budget. What was saved up stays, as far as it fits the new
     * size; the reserve is for the start and changes nothing now.
     */
    public void use(RetryBudget other) {
        settings = other.settings;
        refill(0);
    }

    /** Tokens left. */
    public double tokens() {
        return tokens.get() / UNIT;
    }

    /** What the bucket holds at most. */
    public double size() {
        return settings.size / UNIT;
    }

    /** Tokens a retry costs. */
    public double retryCost() {
        return settings.retryCost / UNIT;
    }

    /** The name it was given. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "retry budget '" + name + "' " + DurationText.number(settings.share * 100 / UNIT)
                + "% of first attempts";
    }

    private static boolean isTimeout(Failure failure) {
        return failure instanceof Failure.Thrown thrown
                ? thrown.is(AttemptTimeoutException.class)
                : failure.type().equals(AttemptTimeoutException.KIND);
    }

    /** Builds a {@link RetryBudget}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private double share = 0.1;
        private double reserve = 10;
        private double size = 100;
        private double retryCost = 1;
        private double timeoutCost = 1;

        private Builder(String name) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("retry budget name must not be blank");
            }
            this.name = name;
        }

        /** Retries per first attempt: 0.1 allows one retry for ten first attempts. */
        public Builder share(double value) {
            share = require("share", value, 0, 1);
            return this;
        }

        /** Tokens in the bucket at the start, so that rare callers may retry too. */
        public Builder reserve(double value) {
            reserve = require("reserve", value, 0, 1_000_000);
            return this;
        }

        /** How many tokens good times may save up. */
        public Builder size(double value) {
            size = require("size", value, 1, 1_000_000);
            return this;
        }

        /** Tokens a retry costs. */
        public Builder retryCost(double value) {
            retryCost = require("retryCost", value, 0, 1_000);
            return this;
        }

        /** Tokens a retry after an attempt's time-out costs: those hold a downstream's resources longest. */
        public Builder timeoutCost(double value) {
            timeoutCost = require("timeoutCost", value, 0, 1_000);
            return this;
        }

        /** The budget. */
        public RetryBudget build() {
            if (reserve > size) {
                throw new IllegalArgumentException("retry budget reserve must not exceed its size of "
                        + DurationText.number(size) + ", got " + DurationText.number(reserve));
            }
            return new RetryBudget(this);
        }
    }

    private static double require(String what, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException("retry budget " + what + " must be between " + DurationText.number(least)
                    + " and " + DurationText.number(most) + ", got " + value);
        }
        return value;
    }
}
