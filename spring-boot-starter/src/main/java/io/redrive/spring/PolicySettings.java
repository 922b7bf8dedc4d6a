package io.redrive.spring;

import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a retry policy. An absent key keeps the value of the base policy, which is the preset named by the key
 * {@code preset}, otherwise the preset with the name of the policy, otherwise {@link RetryPolicy#builder()}.
 *
 * @param preset a named policy to start from: events, stage, actor, visibility, connection, webhook
 * @param enabled false for one attempt and no retry
 * @param maxAttempts maximum number of attempts, the first one included
 * @param backoff none, fixed, linear, exponential or delays
 * @param initialDelay the first wait
 * @param maxDelay the longest wait
 * @param multiplier factor by which each wait of an exponential backoff grows
 * @param increment duration by which each wait of a linear backoff grows
 * @param delays list of waits; the last wait repeats
 * @param jitter none, full, equal, decorrelated, factor:0.2, additive:0.2, or a number between 0 and 1
 * @param maxDuration total time since the first attempt
 * @param maxRetryAfter the longest wait because of a server's Retry-After; zero ignores Retry-After
 * @param retryOn exception classes to retry; without further retry rules, only these are retried
 * @param doNotRetryOn exception classes never to retry
 * @param retryOnStatus HTTP statuses to retry
 * @param retryOnKind kinds of failures to retry, for example timeout
 * @param initialDelaySeconds the first wait, in seconds
 * @param maxDelaySeconds the longest wait, in seconds
 * @param backoffMultiplier same as multiplier, to go with the keys in seconds
 * @param unhandledAfter how long an event waits for a handler before becoming a dead letter; unlimited by default
 */
public record PolicySettings(
        @Nullable String preset,
        @Nullable Boolean enabled,
        @Nullable Integer maxAttempts,
        @Nullable String backoff,
        @Nullable Duration initialDelay,
        @Nullable Duration maxDelay,
        @Nullable Double multiplier,
        @Nullable Duration increment,
        @Nullable List<Duration> delays,
        @Nullable String jitter,
        @Nullable Duration maxDuration,
        @Nullable Duration maxRetryAfter,
        @Nullable List<String> retryOn,
        @Nullable List<String> doNotRetryOn,
        @Nullable List<Integer> retryOnStatus,
        @Nullable List<String> retryOnKind,
        @Nullable Double initialDelaySeconds,
        @Nullable Double maxDelaySeconds,
        @Nullable Double backoffMultiplier,
        @Nullable Duration unhandledAfter) {

    /**
     * Returns the policy. The exception for a refused setting has the key with {@code prefix}.
     *
     * @param inForce the policy to change; null for the default of {@link RetryPolicy#fromMap}
     */
    RetryPolicy policy(@Nullable RetryPolicy inForce, String prefix) {
        try {
            return inForce == null ? RetryPolicy.fromMap(settings()) : inForce.with(settings());
        } catch (SettingException e) {
            throw e.under(prefix + ".");
        }
    }

    /** The present settings by key, in the form that {@link RetryPolicy#fromMap} reads. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        put(settings, "preset", preset);
        put(settings, "enabled", enabled);
        put(settings, "max-attempts", maxAttempts);
        put(settings, "backoff", backoff);
        put(settings, "initial-delay", initialDelay);
        put(settings, "max-delay", maxDelay);
        put(settings, "multiplier", multiplier);
        put(settings, "increment", increment);
        put(settings, "delays", delays);
        put(settings, "jitter", jitter);
        put(settings, "max-duration", maxDuration);
        put(settings, "max-retry-after", maxRetryAfter);
        put(settings, "retry-on", retryOn);
        put(settings, "do-not-retry-on", doNotRetryOn);
        put(settings, "retry-on-status", retryOnStatus);
        put(settings, "retry-on-kind", retryOnKind);
        put(settings, "initial-delay-seconds", initialDelaySeconds);
        put(settings, "max-delay-seconds", maxDelaySeconds);
        put(settings, "backoff-multiplier", backoffMultiplier);
        put(settings, "unhandled-after", unhandledAfter);
        return settings;
    }

    private static void put(Map<String, String> settings, String key, @Nullable Object value) {
        if (value != null) {
            settings.put(key, text(value));
        }
    }

    private static String text(Object value) {
        if (value instanceof Duration duration) {
            return duration.toNanos() + "ns";
        }
        return value instanceof Collection<?> list
                ? list.stream().map(PolicySettings::text).collect(Collectors.joining(","))
                : value.toString();
    }
}
