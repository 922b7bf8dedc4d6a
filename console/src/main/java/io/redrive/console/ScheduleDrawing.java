package io.redrive.console;

import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The attempts of a policy on a line of time, for an SVG.
 *
 * @param marks the attempts, the first at the left end
 * @param limit the place of the time limit; empty without a limit within the line
 * @param words the drawing in words
 */
record ScheduleDrawing(List<Mark> marks, Optional<Integer> limit, String words) {

    /** The length of the line in the drawing. */
    static final int WIDTH = 600;

    private static final int MOST_MARKS = 60;
    private static final int MOST_TOLD = 6;

    /**
     * An attempt.
     *
     * @param at the place without jitter
     * @param from the earliest place
     * @param to the latest place
     * @param reached false when the attempt lies behind the time limit
     */
    record Mark(int at, int from, int to, boolean reached) {}

    /**
     * Draws a policy.
     *
     * @param scale the time at the right end of the line
     */
    static ScheduleDrawing of(RetryPolicy policy, Duration scale) {
        List<Mark> marks = new ArrayList<>();
        List<String> told = new ArrayList<>();
        marks.add(new Mark(0, 0, 0, true));
        Optional<Duration> limit = policy.maxDuration();
        Duration at = Duration.ZERO;
        Duration from = Duration.ZERO;
        List<Schedule.Row> rows = policy.explain().rows();
        for (Schedule.Row row : rows.subList(0, Math.min(MOST_MARKS, rows.size()))) {
            at = at.plus(row.base());
            from = from.plus(row.least());
            boolean reached = limit.isEmpty() || at.compareTo(limit.get()) <= 0;
            marks.add(new Mark(place(at, scale), place(from, scale), place(row.cumulative(), scale), reached));
            if (told.size() < MOST_TOLD) {
                told.add(Format.duration(at));
            }
        }
        Optional<Integer> line = limit.filter(each -> each.compareTo(scale) < 0).map(each -> place(each, scale));
        return new ScheduleDrawing(marks, line, words(told, rows.size()));
    }

    private static String words(List<String> told, int retries) {
        if (told.isEmpty()) {
            return "one attempt, no retry";
        }
        String more = retries > told.size() ? " and " + Format.number(retries - told.size()) + " more" : "";
        return "retries " + String.join(", ", told) + more + " after the first attempt";
    }

    private static int place(Duration time, Duration scale) {
        double share = Math.min(1, (double) time.toNanos() / Math.max(1, scale.toNanos()));
        return (int) Math.round(share * WIDTH);
    }

    /** Returns the time of all waits of a policy together, at their longest: a scale on which the whole policy is seen. */
    static Duration scaleOf(RetryPolicy policy) {
        List<Schedule.Row> rows = policy.explain().rows();
        return rows.isEmpty()
                ? Duration.ZERO
                : rows.get(Math.min(MOST_MARKS, rows.size()) - 1).cumulative();
    }

    /** Returns how long a policy waits at most, in words. */
    static String worstCase(RetryPolicy policy) {
        return policy.explain().worstCase().map(Format::duration).orElse("no limit");
    }
}
