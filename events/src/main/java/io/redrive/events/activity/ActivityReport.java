package io.redrive.events.activity;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The activity of one minute that one process has counted. The numbers are totals of the process, not differences: to
 * write a report twice, after a lost answer, changes nothing.
 *
 * @param node the process; different for each run of a node
 * @param minute the beginning of the minute
 * @param inMinute the activity of the minute by name
 * @param inHour the activity of the hour so far, for the same names
 */
public record ActivityReport(String node, Instant minute, List<NameActivity> inMinute, List<NameActivity> inHour) {

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the minute is not the beginning of a minute, if a name occurs twice, or if
     *     there are more names than {@link ActivityLog#MAX_NAMES} and {@link NameActivity#OTHER}
     */
    public ActivityReport {
        Names.require("node", node);
        if (!ActivityPeriod.MINUTE.startOf(minute).equals(minute)) {
            throw new IllegalArgumentException("minute must be the beginning of a minute, got " + minute);
        }
        inMinute = requireNames("inMinute", inMinute);
        inHour = requireNames("inHour", inHour);
    }

    /** Returns the activity of a period; begins at {@link ActivityPeriod#startOf} of the minute. */
    public List<NameActivity> of(ActivityPeriod period) {
        return period == ActivityPeriod.MINUTE ? inMinute : inHour;
    }

    private static List<NameActivity> requireNames(String field, List<NameActivity> activity) {
        Set<String> names = new HashSet<>();
        for (NameActivity each : activity) {
            if (!names.add(each.name())) {
                throw new IllegalArgumentException(
                        field + " must have each name once, got '" + each.name() + "' twice");
            }
        }
        names.remove(NameActivity.OTHER);
        if (names.size() > ActivityLog.MAX_NAMES) {
            throw new IllegalArgumentException(field + " must have at most " + ActivityLog.MAX_NAMES + " names besides "
                    + NameActivity.OTHER + ", got " + names.size());
        }
        return List.copyOf(activity);
    }
}
