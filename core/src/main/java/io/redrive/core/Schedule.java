package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The answer of {@link RetryPolicy#explain()}: the waits of a policy.
 *
 * @param policy the policy in one line
 * @param rows one row for each wait, at most {@link #MAX_ROWS}
 * @param worstCase the sum of the longest waits, within the time limit; empty when the rows were cut off and no limit
 *     holds
 * @param warnings settings that look like mistakes
 */
public record Schedule(String policy, List<Row> rows, Optional<Duration> worstCase, List<String> warnings) {

    /** How many rows a schedule shows at most. */
    public static final int MAX_ROWS = 1_000;

    /** Copies the lists. */
    public Schedule {
        rows = List.copyOf(rows);
        warnings = List.copyOf(warnings);
    }

    /**
     * The wait after one failed attempt.
     *
     * @param attempt the number of the failed attempt
     * @param base the delay before jitter
     * @param least the shortest wait that jitter can give
     * @param most the longest wait that jitter can give
     * @param cumulative the sum of the longest waits up to this row
     */
    public record Row(int attempt, Duration base, Duration least, Duration most, Duration cumulative) {}

    static Schedule of(RetryPolicy policy) {
        List<Row> rows = rows(policy);
        boolean complete = rows.size() == policy.maxAttempts() - 1;
        Duration waits =
                rows.isEmpty() ? Duration.ZERO : rows.get(rows.size() - 1).cumulative();
        Optional<Duration> limit = policy.maxDuration();
        Optional<Duration> worst = limit.filter(ttl -> !complete || waits.compareTo(ttl) > 0)
                .or(() -> complete ? Optional.of(waits) : Optional.empty());
        return new Schedule(policy.toString(), rows, worst, PolicyLint.warnings(policy, rows));
    }

    private static List<Row> rows(RetryPolicy policy) {
        List<Row> rows = new ArrayList<>();
        Duration cumulative = Duration.ZERO;
        Duration previousMost = Duration.ZERO;
        for (int attempt = 1; attempt < policy.maxAttempts() && rows.size() < MAX_ROWS; attempt++) {
            Jitter.Wait wait = policy.waitAfter(attempt, previousMost);
            previousMost = policy.jitter().most(wait);
            cumulative = saturatedSum(cumulative, previousMost);
            rows.add(new Row(attempt, wait.base(), policy.jitter().least(wait), previousMost, cumulative));
        }
        return rows;
    }

    private static Duration saturatedSum(Duration a, Duration b) {
        long sum = Backoff.nanosOf(a) + Backoff.nanosOf(b);
        return sum < 0 ? Backoff.LONGEST : Duration.ofNanos(sum);
    }

    /** Returns the schedule as a table for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(policy).append('\n');
        if (!rows.isEmpty()) {
            text.append(line("attempt", "base", "least", "most", "cumulative"));
            for (Row row : rows) {
                text.append(line(
                        Integer.toString(row.attempt()),
                        DurationText.format(row.base()),
                        DurationText.format(row.least()),
                        DurationText.format(row.most()),
                        DurationText.format(row.cumulative())));
            }
        }
        text.append("worst case: ")
                .append(worstCase
                        .map(total -> DurationText.format(total) + " of waiting")
                        .orElse("unlimited"))
                .append('\n');
        warnings.forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        return text.toString();
    }

    private static String line(String attempt, String base, String least, String most, String cumulative) {
        return String.format(Locale.ROOT, "%7s  %12s  %12s  %12s  %14s%n", attempt, base, least, most, cumulative);
    }
}
