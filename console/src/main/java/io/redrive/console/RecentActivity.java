package io.redrive.console;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.NameActivity;
import io.redrive.operations.ActivityOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The activity of the last hour, for all pages together. An hour has a row for each minute, name and node, and nodes change only the
 * newest of them: each page reads the newest minutes, and the first page of a minute reads the earlier minutes once for all. A node
 * that writes an earlier minute late is seen with the next minute. Thread-safe.
 */
final class RecentActivity {

    private static final Duration LENGTH = Duration.ofHours(1);
    /** The minutes that each page reads. A node writes a minute when the minute is over, and again after a lost answer. */
    private static final Duration NEWEST = Duration.ofMinutes(3);

    private Optional<Activity> earlier = Optional.empty();

    /** Returns the activity of the last hour, by the minute. */
    Activity lastHour(ActivityOperations activity, Instant now) {
        Activity before = earlier(activity, now);
        Activity after = activity.read(
                new ActivityQuery(ActivityPeriod.MINUTE, before.query().until(), now));
        return before.followedBy(after);
    }

    /** Returns names of the last hour, without those that were active in the newest minutes only; the busiest first. */
    List<String> names(ActivityOperations activity, Instant now) {
        return earlier(activity, now).names().stream()
                .map(Activity.OfName::name)
                .filter(name -> !name.equals(NameActivity.OTHER))
                .toList();
    }

    private synchronized Activity earlier(ActivityOperations activity, Instant now) {
        Instant from = ActivityQuery.last(LENGTH, now).from();
        ActivityQuery wanted = new ActivityQuery(
                ActivityPeriod.MINUTE, from, ActivityPeriod.MINUTE.startOf(now).minus(NEWEST));
        Activity read = earlier.filter(each -> each.query().equals(wanted)).orElseGet(() -> activity.read(wanted));
        earlier = Optional.of(read);
        return read;
    }
}
