package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds settings that are allowed but probably not meant, as warnings that refuse nothing. {@link
 * RetryPolicy#explain()} shows the warnings; pipelines and item runs log them when they start.
 */
public final class PolicyLint {

    private static final Duration LEAST_INITIAL = Duration.ofMillis(100);
    private static final Duration MOST_INITIAL = Duration.ofMillis(5_000);
    private static final Duration LEAST_MAX = Duration.ofMillis(10_000);
    private static final Duration MOST_MAX = Duration.ofMillis(600_000);
    private static final double MOST_JITTER = 0.5;

    private PolicyLint() {}

    /** Returns the warnings about a policy; never throws, also when the policy's own backoff does. */
    public static List<String> warnings(RetryPolicy policy) {
        try {
            return policy.explain().warnings();
        } catch (Throwable mistake) {
            return List.of(
                    "the backoff threw " + ThrownReading.textOf(mistake) + "; work under this policy is not retried");
        }
    }

    /**
     * Returns the keys of settings without effect: those among {@code keys} that describe a backoff, and that a backoff of
     * this kind does not use.
     *
     * @param backoff the value of the setting {@code backoff}
     */
    public static List<String> unusedKeys(String backoff, Set<String> keys) {
        return BackoffShape.unusedBy(backoff, keys::contains);
    }

    static List<String> warnings(RetryPolicy policy, List<Schedule.Row> rows) {
        List<String> warnings = new ArrayList<>();
        attemptsThatDoNotFit(policy, rows, warnings);
        backoffOutOfRange(policy.backoff(), warnings);
        jitterOutOfRange(policy, warnings);
        if (rows.size() < policy.maxAttempts() - 1) {
            warnings.add(
                    "only the first " + Schedule.MAX_ROWS + " of " + (policy.maxAttempts() - 1) + " waits are shown");
        }
        return warnings;
    }

    private static void attemptsThatDoNotFit(RetryPolicy policy, List<Schedule.Row> rows, List<String> warnings) {
        policy.maxDuration().ifPresent(ttl -> {
            Duration soonest = Duration.ZERO;
            for (Schedule.Row row : rows) {
                // Full jitter may wait close to zero; judge by the schedule before jitter.
                soonest = soonest.plus(row.base());
                if (soonest.compareTo(ttl) > 0) {
                    int first = row.attempt() + 1;
                    String which = first == policy.maxAttempts()
                            ? "attempt " + first + " does"
                            : "attempts " + first + " to " + policy.maxAttempts() + " do";
                    warnings.add(which + " not fit into maxDuration " + DurationText.format(ttl)
                            + "; lower maxAttempts or the delays, or raise maxDuration");
                    return;
                }
            }
        });
    }

    private static void backoffOutOfRange(Backoff backoff, List<String> warnings) {
        if (backoff instanceof ExponentialBackoff exponential) {
            range("initial delay", exponential.initial(), LEAST_INITIAL, MOST_INITIAL, warnings);
            range("max delay", exponential.max(), LEAST_MAX, MOST_MAX, warnings);
        } else if (backoff instanceof LinearBackoff linear) {
            range("max delay", linear.max(), LEAST_MAX, MOST_MAX, warnings);
        }
    }

    private static void range(String what, Duration value, Duration least, Duration most, List<String> warnings) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            warnings.add(what + " " + DurationText.format(value) + " is outside the usual " + DurationText.format(least)
                    + " to " + DurationText.format(most));
        }
    }

    private static void jitterOutOfRange(RetryPolicy policy, List<String> warnings) {
        if (policy.jitter() instanceof Jitter.Factor factor && factor.factor() > MOST_JITTER) {
            warnings.add("jitter factor " + DurationText.number(factor.factor()) + " is outside the usual 0 to 0.5");
        }
        boolean waits = policy.maxAttempts() > 1 && !policy.backoff().max().isZero();
        if (waits && policy.maxAttempts() > 5 && policy.jitter() instanceof Jitter.None) {
            warnings.add("no jitter: callers that fail together will retry together");
        }
    }
}
