package io.redrive.events;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.NameActivity;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** The activity of an {@link InMemoryEventStore}. */
final class InMemoryActivityLog implements ActivityLog {

    private record Key(Instant start, String name, String node) {

        static final Comparator<Key> ORDER =
                Comparator.comparing(Key::start).thenComparing(Key::name).thenComparing(Key::node);
    }

    private final Map<ActivityPeriod, TreeMap<Key, ActivityTotals>> rows = new EnumMap<>(ActivityPeriod.class);

    InMemoryActivityLog() {
        for (ActivityPeriod period : ActivityPeriod.values()) {
            rows.put(period, new TreeMap<>(Key.ORDER));
        }
    }

    @Override
    public synchronized void write(ActivityReport report) {
        rows.forEach((period, kept) -> {
            Instant start = period.startOf(report.minute());
            for (NameActivity each : report.of(period)) {
                kept.put(new Key(start, each.name(), report.node()), each.totals());
            }
        });
    }

    @Override
    public synchronized Activity read(ActivityQuery query) {
        Activity.Builder answer = new Activity.Builder(query);
        rows.getOrDefault(query.period(), new TreeMap<>()).forEach((key, totals) -> {
            boolean within = !key.start.isBefore(query.from()) && key.start.isBefore(query.until());
            if (within && query.includes(key.name)) {
                answer.add(key.start, new NameActivity(key.name, totals));
            }
        });
        return answer.build();
    }

    @Override
    public synchronized int expire(Instant now) {
        int removed = 0;
        for (Map.Entry<ActivityPeriod, TreeMap<Key, ActivityTotals>> kept : rows.entrySet()) {
            Instant oldest = now.minus(kept.getKey().kept());
            TreeMap<Key, ActivityTotals> ofPeriod = kept.getValue();
            for (int i = 0; i < EXPIRED_AT_ONCE && isExpired(ofPeriod, oldest); i++) {
                ofPeriod.pollFirstEntry();
                removed++;
            }
        }
        return removed;
    }

    private static boolean isExpired(TreeMap<Key, ActivityTotals> rows, Instant oldest) {
        return !rows.isEmpty() && rows.firstKey().start().isBefore(oldest);
    }

    synchronized void clear() {
        rows.values().forEach(Map::clear);
    }
}
