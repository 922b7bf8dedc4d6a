package io.redrive.spring;

import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A retry policy in settings. A key that is not given stays as in the key {@code preset}, or else in the preset of the
 * policy's name, or else in {@link RetryPolicy#builder()}.
 *
 * @param preset a named policy to start from: events, stage, actor, visibility, connection, webhook
 * @param enabled false for one attempt and no retry
 * @param maxAttempts how often the work runs at most, the first try included
 * @param backoff none, fixed, linear, exponential or delays
 * @param initialDelay the first wait
 * @param maxDelay the longest wait
 * @param multiplier how much longer each wait of an exponential backoff is
 * @param increment how much longer each wait of a linear backoff is
 * @param delays the waits one by one; the last one repeats
 * @param jitter none, full, equal, decorrelated, factor:0.2, additive:0.2, or a number between 0 and 1
 * @param maxDuration total time since the first attempt
 * @param maxRetryAfter the longest wait that a server's Retry-After can bring about; zero ignores hints
 * @param retryOn exception classes to retry, and with them nothing else that no other rule allows
 * @param doNotRetryOn exception classes never to retry
 * @param retryOnStatus HTTP statuses to retry
 * @param retryOnKind kinds of failures to retry, such as timeout
 * @param initialDelaySeconds the first wait, in seconds
 * @param maxDelaySeconds the longest wait, in seconds
 * @param backoffMultiplier another name of multiplier, for those who count in seconds
 * @param unhandledAfter for events: how long they wait for a handler before they become dead letters; for ever without it
 */
public record PolicySettings(
        String preset,
        Boolean enabled,
        Integer maxAttempts,
        String backoff,
        Duration initialDelay,
        Duration maxDelay,
        Double multiplier,
        Duration increment,
        List<Duration> delays,
        String jitter,
        Duration maxDuration,
        Duration maxRetryAfter,
        List<String> retryOn,
        List<String> doNotRetryOn,
        List<Integer> retryOnStatus,
        List<String> retryOnKind,
        Double initialDelaySeconds,
        Double maxDelaySeconds,
        Double backoffMultiplier,
        Duration unhandledAfter) {

    /**
     * The policy; a bad setting is told with its key under {@code prefix}.
     *
     * @param inForce the policy that these settings change, or null for the one of {@link RetryPolicy#builder()}
     */
    RetryPolicy policy(RetryPolicy inForce, String prefix) {
        try {
            return inForce == null ? RetryPolicy.fromMap(settings()) : inForce.with(settings());
        } catch (SettingException e) {
            throw e.under(prefix + ".");
        }
    }

    /** The keys that were given, as core's own reader of settings takes them. */
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

    private static void put(Map<String, String> settings, String key, Object value) {
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
