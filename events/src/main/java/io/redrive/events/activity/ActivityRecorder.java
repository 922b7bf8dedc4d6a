package io.redrive.events.activity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the activity of one process in memory, and writes each minute once the minute is over. Thread-safe.
 *
 * <p><b>What it promises.</b> No count is written twice, and none is lost except the counts of the minute in which the
 * process dies. Memory does not grow with the number of events, names, or failed writes.
 *
 * <p><b>How.</b> The <em>open</em> minute collects counts. When the minute is over, its counts become a report, which
 * nobody changes any more and which is written until the store has confirmed it: a write whose answer was lost is
 * repeated with the same numbers. Meanwhile counts collect in the next open minute. After an outage of several minutes
 * the open minute therefore has the counts of all of them: no count is lost, but the time is coarse. Only the first
 * {@link ActivityLog#MAX_NAMES} names of an hour have counts of their own, so that an hour has no more names than a
 * minute.
 *
 * <p><b>The first minute</b> of a process is written in parts ({@link #writeFirst}); each part replaces the part before.
 *
 * <p><b>Late counts.</b> A count whose minute was reported already, for example of a thread that read the clock just
 * before the minute ended, belongs to the next minute. When the clock was set back by more than {@link #TOLERATED},
 * counting starts again under another name of the node: reports of those minutes exist, and must not be replaced.
 */
public final class ActivityRecorder {

    /** A clock set back by more than this starts to count anew. */
    static final Duration TOLERATED = Duration.ofMinutes(5);

    private static final long NONE = Long.MIN_VALUE;
    private static final long SECONDS = ActivityPeriod.MINUTE.length().toSeconds();
    private static final long MINUTES_PER_HOUR = 60;

    private final String node;
    /** Held while a report is written. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Map<String, Cell> cells = new HashMap<>();
    /** The minute that collects counts, in minutes since 1970; {@link #NONE} before the first count. */
    private long open = NONE;
    /** The last reported minute. */
    private long reported = NONE;
    /** The hour of the cells. */
    private long hour = NONE;

    private int run = 1;
    private @Nullable ActivityReport unwritten;

    /**
     * Starts to count.
     *
     * @param node the name of this process in reports; different for each run of a node
     * @throws IllegalArgumentException if the name is blank or too long
     */
    public ActivityRecorder(String node) {
        this.node = Names.require("node", node);
    }

    /** The counts of one name: of the open minute, and of the minutes of the hour before. */
    private static final class Cell {
        private ActivitySum minute = new ActivitySum();
        private final ActivitySum hour = new ActivitySum();
        private boolean touched;

        /** Adds the activity of the open minute to the lists, and begins the next minute. */
        void report(String name, List<NameActivity> inMinute, List<NameActivity> inHour) {
            if (touched) {
                ActivityTotals totals = minute.build();
                hour.add(totals);
                inMinute.add(new NameActivity(name, totals));
                inHour.add(new NameActivity(name, hour.build()));
                minute = new ActivitySum();
                touched = false;
            }
        }
    }

    /** Counts an event of a publish call. */
    public synchronized void published(String name, boolean duplicate, Instant at) {
        cell(name, at).published(duplicate);
    }

    /** Counts an attempt: one call of a handler with an event of this name. */
    public synchronized void handled(String name, Duration took, Instant at) {
        cell(name, at).handlerTime.add(took);
    }

    /** Counts an event that is done. */
    public synchronized void done(String name, Instant at) {
        cell(name, at).done();
    }

    /** Counts an event that is done, {@code latency} after it was due. */
    public synchronized void done(String name, Duration latency, Instant at) {
        ActivitySum sum = cell(name, at);
        sum.done();
        sum.latency.add(latency);
    }

    /** Counts an event that failed and is tried again. */
    public synchronized void retried(String name, Instant at) {
        cell(name, at).retried();
    }

    /** Counts an event that became a dead letter. */
    public synchronized void dead(String name, Instant at) {
        cell(name, at).dead();
    }

    /** Counts a batch that ended, under the name of its first event. */
    public synchronized void batch(String name, boolean timedOut, Instant at) {
        cell(name, at).batch(timedOut);
    }

    /** Returns true when {@link #write} would write: a minute is over, or an earlier write failed. */
    public synchronized boolean isDue(Instant now) {
        return unwritten != null || isOver(minuteOf(now));
    }

    /**
     * Writes the minutes that are over. Does nothing while another thread writes.
     *
     * @throws RuntimeException of the log; the counts stay here, and the next call writes them
     */
    public void write(ActivityLog log, Instant now) {
        if (writing.tryLock()) {
            try {
                writeReports(log, minuteOf(now));
            } finally {
                writing.unlock();
            }
        }
    }

    /**
     * Writes the counts so far of the open minute, when it is the first minute of this process: operators see the activity of a new
     * store at once. The report of the whole minute replaces the counts later. Does nothing in later minutes, and while another
     * thread writes.
     *
     * @throws RuntimeException of the log
     */
    public void writeFirst(ActivityLog log) {
        if (writing.tryLock()) {
            try {
                Optional<ActivityReport> report = first();
                report.ifPresent(log::write);
            } finally {
                writing.unlock();
            }
        }
    }

    private synchronized Optional<ActivityReport> first() {
        if (open == NONE || reported != NONE || unwritten != null) {
            return Optional.empty();
        }
        List<NameActivity> names = new ArrayList<>();
        cells.forEach((name, cell) -> names.add(new NameActivity(name, cell.minute.build())));
        return Optional.of(new ActivityReport(nodeOfRun(), Instant.ofEpochSecond(open * SECONDS), names, names));
    }

    /**
     * Writes all counts, also those of the open minute; for the end of a process.
     *
     * @throws RuntimeException of the log; the counts stay here
     */
    public void writeAll(ActivityLog log) {
        writing.lock();
        try {
            writeReports(log, Long.MAX_VALUE);
        } finally {
            writing.unlock();
        }
    }

    private void writeReports(ActivityLog log, long now) {
        for (ActivityReport report = next(now); report != null; report = next(now)) {
            log.write(report);
            confirmed();
        }
    }

    private synchronized @Nullable ActivityReport next(long now) {
        if (unwritten == null && isOver(now)) {
            report();
        }
        return unwritten;
    }

    private synchronized void confirmed() {
        unwritten = null;
    }

    /** Also true after the clock was set back: the open minute would not end for a long time. */
    private boolean isOver(long now) {
        return open != NONE && (open < now || open - now > TOLERATED.toMinutes());
    }

    /** Makes a report of the open minute. */
    private void report() {
        List<NameActivity> inMinute = new ArrayList<>();
        List<NameActivity> inHour = new ArrayList<>();
        cells.forEach((name, cell) -> cell.report(name, inMinute, inHour));
        unwritten = new ActivityReport(nodeOfRun(), Instant.ofEpochSecond(open * SECONDS), inMinute, inHour);
        reported = open;
        open = NONE;
    }

    private ActivitySum cell(String name, Instant at) {
        openFor(minuteOf(at));
        Cell cell = cells.get(name);
        if (cell == null) {
            // The sum of other names is not counted as a name.
            int named = cells.size() - (cells.containsKey(NameActivity.OTHER) ? 1 : 0);
            String counted = named < ActivityLog.MAX_NAMES ? name : NameActivity.OTHER;
            cell = cells.computeIfAbsent(counted, unused -> new Cell());
        }
        cell.touched = true;
        return cell.minute;
    }

    private void openFor(long minute) {
        if (unwritten == null && isOver(minute)) {
            report();
        }
        if (open != NONE) {
            return;
        }
        if (reported != NONE && reported - minute > TOLERATED.toMinutes()) {
            run++;
            reported = NONE;
            hour = NONE;
        }
        open = reported == NONE ? minute : Math.max(minute, reported + 1);
        if (hour != Math.floorDiv(open, MINUTES_PER_HOUR)) {
            hour = Math.floorDiv(open, MINUTES_PER_HOUR);
            cells.clear();
        }
    }

    /** The number of the run comes first, because a name that gets too long loses its end. */
    private String nodeOfRun() {
        return run == 1 ? node : Names.cut(run + "/" + node);
    }

    private static long minuteOf(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), SECONDS);
    }
}
