package io.redrive.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Caps retries at a share of first attempts, for all calls to one downstream together, so that retries cannot turn a
 * brown-out into an outage. A token bucket: each first attempt adds {@code share} tokens, each retry takes its cost.
 * Thread-safe and lock-free; share one instance between all calls to the downstream.
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

    /** Returns a budget with the defaults. */
    public static RetryBudget of(String name) {
        return builder(name).build();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Adds the tokens that a first attempt earns. */
    public void firstAttempt() {
        Settings given = settings;
        long now = tokens.get();
        while (now < given.size && !tokens.compareAndSet(now, Math.min(given.size, now + given.share))) {
            now = tokens.get();
        }
    }

    /**
     * Takes the tokens for retrying {@code failure}. Returns false, and takes no token, when the budget has too few.
     * A recorded failure counts by its type: {@code Failure.kind("timeout")} costs as much as the time-out itself.
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

    /**
     * Removes and returns all tokens, for a place where several processes share tokens; {@link #refill} adds tokens
     * again.
     */
    public double drain() {
        return tokens.getAndSet(0) / UNIT;
    }

    /**
     * Adds tokens, up to the size.
     *
     * @throws IllegalArgumentException if the number is negative or more than the size
     */
    public void refill(double added) {
        long more = Math.round(require("refill", added, 0, size()) * UNIT);
        long size = settings.size;
        tokens.updateAndGet(now -> Math.min(size, now + more));
    }

    /**
     * Takes over the settings of {@code other}. Saved tokens stay, up to the new size; the reserve counts only at the
     * start and has no effect.
     */
    public void use(RetryBudget other) {
        settings = other.settings;
        refill(0);
    }

    /** Returns the tokens left. */
    public double tokens() {
        return tokens.get() / UNIT;
    }

    /** Returns the most tokens that the budget can save up. */
    public double size() {
        return settings.size / UNIT;
    }

    /** Returns the tokens that a retry costs. */
    public double retryCost() {
        return settings.retryCost / UNIT;
    }

    /** Returns the budget's name. */
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

        /**
         * Sets the retries per first attempt: 0.1 allows one retry for ten first attempts. Default: 0.1.
         *
         * @throws IllegalArgumentException if the value is not between 0 and 1
         */
        public Builder share(double value) {
            share = require("share", value, 0, 1);
            return this;
        }

        /**
         * Sets the tokens at the start, which let rare callers retry too. Default: 10.
         *
         * @throws IllegalArgumentException if the value is not between 0 and 1,000,000
         */
        public Builder reserve(double value) {
            reserve = require("reserve", value, 0, 1_000_000);
            return this;
        }

        /**
         * Sets the most tokens that quiet times can save up. Default: 100.
         *
         * @throws IllegalArgumentException if the value is not between 1 and 1,000,000
         */
        public Builder size(double value) {
            size = require("size", value, 1, 1_000_000);
            return this;
        }

        /**
         * Sets the tokens that a retry costs. Default: 1.
         *
         * @throws IllegalArgumentException if the value is not between 0 and 1,000
         */
        public Builder retryCost(double value) {
            retryCost = require("retryCost", value, 0, 1_000);
            return this;
        }

        /**
         * Sets the tokens that a retry after an attempt's time-out costs: time-outs hold a downstream's resources
         * longest. Default: 1.
         *
         * @throws IllegalArgumentException if the value is not between 0 and 1,000
         */
        public Builder timeoutCost(double value) {
            timeoutCost = require("timeoutCost", value, 0, 1_000);
            return this;
        }

        /**
         * Returns the budget.
         *
         * @throws IllegalArgumentException if the reserve is more than the size
         */
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
