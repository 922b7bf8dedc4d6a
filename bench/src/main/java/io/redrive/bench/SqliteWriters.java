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
    /** The time in which a process warms up. Processes share the cores, so the time grows with their number. */
    private static final long WARM_UP_MILLIS = 2_000;

    private static final long START_MILLIS = 1_500;
    private static final long PAUSE_MILLIS = 500;

    private SqliteWriters() {}

    /** Publishes from the given moment on: the file, the moment in milliseconds since 1970, the seconds. */
    public static void main(String[] args) throws Exception {
        QuietLog.now();
        long start = Long.parseLong(args[1]);
        warmUp(Path.of(args[0] + "-" + ProcessHandle.current().pid()), start - PAUSE_MILLIS);
        try (EventStore store = SqliteStore.open(Path.of(args[0]))) {
            store.publish(eventsOfOneCall(), Instant.now());
            TimeUnit.MILLISECONDS.sleep(Math.max(0, start - System.currentTimeMillis()));
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

    /**
     * Publishes to a file of this process alone. Four processes that compile their code on a few cores would otherwise measure the
     * compiler: cold, they reached half of the rate.
     */
    private static void warmUp(Path own, long untilMillis) {
        try (EventStore store = SqliteStore.open(own)) {
            while (System.currentTimeMillis() < untilMillis) {
                store.publish(eventsOfOneCall(), Instant.now());
            }
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
        long start = System.currentTimeMillis() + START_MILLIS + writers * WARM_UP_MILLIS;
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
