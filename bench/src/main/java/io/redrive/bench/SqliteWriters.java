package io.redrive.bench;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.SqliteStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Processes that publish to one SQLite file at the same time, as an application, a server and a command do. */
final class SqliteWriters {

    static final String RATE = "events/s";
    static final String LONGEST = "max wait ms";

    private static final int PER_CALL = 10;
    private static final long START_MILLIS = 3_000;

    private SqliteWriters() {}

    /** Publishes from the given moment on: the file, the moment in milliseconds since 1970, the seconds. */
    public static void main(String[] args) throws Exception {
        QuietLog.now();
        try (EventStore store = SqliteStore.open(Path.of(args[0]))) {
            // Loads the classes of a publish call: the first call of a process takes longer than any wait for the lock.
            store.publish(eventsOfOneCall(), Instant.now());
            TimeUnit.MILLISECONDS.sleep(Math.max(0, Long.parseLong(args[1]) - System.currentTimeMillis()));
            long begin = System.nanoTime();
            long end = begin + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
            long published = 0;
            long longest = 0;
            for (long before = begin; before < end; before = System.nanoTime()) {
                store.publish(eventsOfOneCall(), Instant.now());
                published += PER_CALL;
                longest = Math.max(longest, System.nanoTime() - before);
            }
            System.out.println(published / ((System.nanoTime() - begin) / 1e9) + " " + longest / 1e6);
        }
    }

    private static List<Event> eventsOfOneCall() {
        List<Event> events = new ArrayList<>(PER_CALL);
        for (int i = 0; i < PER_CALL; i++) {
            events.add(EventLoad.event());
        }
        return events;
    }

    /** Returns the rate of all writers together and the longest call of any of them. */
    static Map<String, Double> measure(Path file, int writers, int seconds) throws Exception {
        SqliteStore.open(file).close();
        long start = System.currentTimeMillis() + START_MILLIS;
        List<ChildJvm> children = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            children.add(ChildJvm.start(
                    SqliteWriters.class, file.toString(), String.valueOf(start), String.valueOf(seconds)));
        }
        double rate = 0;
        double longest = 0;
        for (ChildJvm child : children) {
            double[] figures = child.figures();
            rate += figures[0];
            longest = Math.max(longest, figures[1]);
        }
        Map<String, Double> all = new LinkedHashMap<>();
        all.put(RATE, rate);
        all.put(LONGEST, longest);
        return all;
    }
}
