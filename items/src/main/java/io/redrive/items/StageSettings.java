package io.redrive.items;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Presets;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a stage; null for a limit that the stage does not have, and a concurrency of {@value #NOT_SET} for a stage that
 * sets none.
 */
record StageSettings(
        RetryPolicy policy,
        int concurrency,
        @Nullable Duration timeLimit,
        @Nullable RateLimit rateLimit,
        @Nullable RetryBudget retryBudget,
        Duration batchWait,
        String config,
        @Nullable StageCost cost,
        @Nullable AdaptiveLimit adaptive) {

    static final int NOT_SET = 0;

    static final StageSettings STANDARD = new StageSettings(
            Presets.STAGE, NOT_SET, Stage.DEFAULT_TIME_LIMIT, null, null, Duration.ofMillis(100), "", null, null);

    private static final int HASH_BYTES = 6;

    StageSettings {
        Objects.requireNonNull(policy, "policy");
    }

    StageSettings withPolicy(RetryPolicy value) {
        return new StageSettings(
                value, concurrency, timeLimit, rateLimit, retryBudget, batchWait, config, cost, adaptive);
    }

    StageSettings withConcurrency(String stage, int value) {
        if (adaptive != null) {
            throw both(stage, value);
        }
        return new StageSettings(policy, value, timeLimit, rateLimit, retryBudget, batchWait, config, cost, adaptive);
    }

    StageSettings withTimeLimit(@Nullable Duration value) {
        return new StageSettings(policy, concurrency, value, rateLimit, retryBudget, batchWait, config, cost, adaptive);
    }

    StageSettings withRateLimit(RateLimit value) {
        return new StageSettings(policy, concurrency, timeLimit, value, retryBudget, batchWait, config, cost, adaptive);
    }

    StageSettings withRetryBudget(RetryBudget value) {
        return new StageSettings(policy, concurrency, timeLimit, rateLimit, value, batchWait, config, cost, adaptive);
    }

    StageSettings withBatchWait(Duration value) {
        return new StageSettings(policy, concurrency, timeLimit, rateLimit, retryBudget, value, config, cost, adaptive);
    }

    StageSettings withConfig(String value) {
        return new StageSettings(
                policy, concurrency, timeLimit, rateLimit, retryBudget, batchWait, value, cost, adaptive);
    }

    StageSettings withCost(StageCost value) {
        return new StageSettings(
                policy, concurrency, timeLimit, rateLimit, retryBudget, batchWait, config, value, adaptive);
    }

    StageSettings withAdaptive(String stage, AdaptiveLimit value) {
        if (concurrency != NOT_SET) {
            throw both(stage, concurrency);
        }
        return new StageSettings(
                policy, concurrency, timeLimit, rateLimit, retryBudget, batchWait, config, cost, value);
    }

    private static IllegalArgumentException both(String stage, int fixed) {
        return new IllegalArgumentException("stage '" + stage + "' must have either a fixed concurrency or an adaptive"
                + " limit, got both (fixed: " + fixed + "); leave one of them out");
    }

    /** Returns how many calls run at once at the moment. */
    int callsAtOnce() {
        if (adaptive != null) {
            return adaptive.limit();
        }
        return concurrency == NOT_SET ? Stage.DEFAULT_CONCURRENCY : concurrency;
    }

    /** Returns a hash of everything that may change the outcome of a sample; concurrency and rates do not. */
    String hash(String name, String work) {
        String text = String.join("\n", name, work, policy.toString(), String.valueOf(timeLimit), config);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
