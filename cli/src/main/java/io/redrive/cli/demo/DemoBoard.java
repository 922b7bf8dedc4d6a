package io.redrive.cli.demo;

import io.redrive.cli.terminal.Printable;
import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import io.redrive.pipeline.PipelineListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Counts outcomes of the pipeline by event name. Thread-safe. */
final class DemoBoard implements PipelineListener {

    /** The counts of an event name, and the last error. */
    record Row(long published, long done, long retrying, long retries, long dead, String trouble) {

        static final Row EMPTY = new Row(0, 0, 0, 0, 0, "");

        Row plus(Row other) {
            return new Row(
                    published + other.published,
                    done + other.done,
                    retrying + other.retrying,
                    retries + other.retries,
                    dead + other.dead,
                    other.trouble.isEmpty() ? trouble : other.trouble);
        }
    }

    private static final Row PUBLISHED = new Row(1, 0, 0, 0, 0, "");
    private static final Row DONE = new Row(0, 1, 0, 0, 0, "");
    private static final Row NO_LONGER_RETRYING = new Row(0, 0, -1, 0, 0, "");

    private final Map<String, Row> rows = new ConcurrentHashMap<>();
    /** The ids of events that wait for another attempt. */
    private final Map<String, Boolean> retrying = new ConcurrentHashMap<>();

    private final Map<String, Boolean> paused = new ConcurrentHashMap<>();
    private volatile long duplicates;
    private volatile String trouble = "";

    /** Starts with a row for each name, because a board of constant size is easier to read. */
    DemoBoard(Set<String> names) {
        names.forEach(name -> rows.put(name, Row.EMPTY));
    }

    /** Counts the results of a publish call. Called by one thread. */
    void published(List<Event> events, List<PublishResult> results) {
        for (int i = 0; i < events.size(); i++) {
            if (!results.get(i).isDuplicate()) {
                add(events.get(i), PUBLISHED);
            } else {
                duplicates++;
            }
        }
    }

    @Override
    public void onDone(Done event) {
        add(event.event(), DONE);
        ended(event.event());
    }

    @Override
    public void onRetry(Retrying event) {
        boolean first = retrying.put(event.event().id(), true) == null;
        String error = Printable.error(event.errorType(), event.message());
        add(event.event(), new Row(0, 0, first ? 1 : 0, 1, 0, error));
    }

    @Override
    public void onDead(Dead event) {
        String error = Printable.error(event.errorType(), event.message());
        add(event.event(), new Row(0, 0, 0, 0, 1, error));
        ended(event.event());
    }

    @Override
    public void onPaused(Paused event) {
        if (event.until() == null) {
            paused.remove(event.name());
        } else {
            paused.put(event.name(), true);
        }
    }

    @Override
    public void onRecovered(Recovered event) {
        trouble = event.events() + " events of a process that died were taken over";
    }

    @Override
    public void onStoreTrouble(StoreTrouble event) {
        trouble = String.valueOf(event.error().getMessage());
    }

    Map<String, Row> rows() {
        return new TreeMap<>(rows);
    }

    Row total() {
        return rows.values().stream().reduce(Row.EMPTY, Row::plus);
    }

    long duplicates() {
        return duplicates;
    }

    /** Returns the paused names and the last trouble. */
    String remarks() {
        return (paused.isEmpty() ? "" : "paused: " + String.join(", ", paused.keySet()) + "  ") + trouble;
    }

    private void ended(Event event) {
        if (retrying.remove(event.id()) != null) {
            add(event, NO_LONGER_RETRYING);
        }
    }

    private void add(Event event, Row more) {
        rows.merge(event.name(), more, Row::plus);
    }
}
