package io.redrive.events;

import io.redrive.events.cause.ServiceVersion;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Chooses few handled events of each minute and name on one node, and writes the choice once a minute. Thread-safe.
 *
 * <p><b>What it promises.</b> Each event of a minute has the same chance to be chosen (reservoir sampling), and memory does not
 * grow with the number of events, names, failed writes or with the size of payloads. A process that dies loses the choice of its
 * last minute.
 *
 * <p><b>What it costs.</b> For most events one lookup by name and one random number: only a chosen event is redacted, cut and
 * copied. A node writes at most {@link #PER_NAME} events of a name in a minute, so that the {@link HandledSamples#MAX_PER_NAME}
 * events in the store reach back 100 minutes on a busy node, and further on a quiet one.
 */
public final class HandledSampleRecorder {

    /** The most events of a name that a node chooses in a minute. */
    public static final int PER_NAME = 10;

    /** The most bytes of payloads and headers in the choice of a minute; events beyond are not chosen. */
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final Logger LOG = System.getLogger(HandledSampleRecorder.class.getName());

    private static final Duration EVERY = Duration.ofMinutes(1);

    private final String node;
    private final Optional<ServiceVersion> version;
    private final UnaryOperator<Event> redaction;
    private final RandomGenerator random;
    /** Held while a choice is written. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Map<String, Reservoir> reservoirs = new HashMap<>();
    private Instant opened = Instant.MAX;
    private long bytes;
    private List<HandledEvent> unwritten = List.of();

    /** The events of one name that are chosen, and the number of events to choose from. */
    private static final class Reservoir {
        private final List<HandledEvent> chosen = new ArrayList<>();
        private long seen;
    }

    /**
     * Starts to choose.
     *
     * @param node the name of this node
     * @param version the version of the service; empty when unknown
     * @param redaction replaces what must not be stored, in the payload and the headers of an event; runs before the payload is cut
     * @param random chooses the events
     */
    public HandledSampleRecorder(
            String node, Optional<ServiceVersion> version, UnaryOperator<Event> redaction, RandomGenerator random) {
        this.node = HandledEvent.nodeName(node);
        this.version = version;
        this.redaction = redaction;
        this.random = random;
    }

    /** Notes an event that is done; chooses the event by chance. */
    public synchronized void handled(Event event, Instant at) {
        if (opened == Instant.MAX) {
            opened = at;
        }
        Reservoir reservoir = reservoirs.get(event.name());
        if (reservoir == null) {
            if (reservoirs.size() >= HandledSamples.MAX_NAMES) {
                return;
            }
            reservoir = new Reservoir();
            reservoirs.put(event.name(), reservoir);
        }
        long number = ++reservoir.seen;
        if (number <= PER_NAME) {
            choose(reservoir, reservoir.chosen.size(), event, at);
        } else {
            long place = random.nextLong(number);
            if (place < reservoir.chosen.size()) {
                choose(reservoir, (int) place, event, at);
            }
        }
    }

    private void choose(Reservoir reservoir, int place, Event event, Instant at) {
        HandledEvent handled;
        try {
            handled = HandledEvent.of(redaction.apply(event), at, node, version);
        } catch (RuntimeException e) {
            // An event that cannot be redacted must not be stored, and its settlement must not suffer.
            LOG.log(Level.DEBUG, "event " + event.id() + " is not sampled: it cannot be redacted", e);
            return;
        }
        boolean replaces = place < reservoir.chosen.size();
        long after = bytes + size(handled) - (replaces ? size(reservoir.chosen.get(place)) : 0);
        if (after > MAX_BYTES) {
            return;
        }
        bytes = after;
        if (replaces) {
            reservoir.chosen.set(place, handled);
        } else {
            reservoir.chosen.add(handled);
        }
    }

    private static long size(HandledEvent handled) {
        long size = handled.event().payloadSize();
        for (Map.Entry<String, String> header : handled.event().headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    /** Returns true when {@link #write} would write: a minute is over, or an earlier write failed. */
    public synchronized boolean isDue(Instant now) {
        return !unwritten.isEmpty() || isOver(now);
    }

    /** Also true after the clock was set back: the minute would not end for a long time. */
    private boolean isOver(Instant now) {
        return opened != Instant.MAX && (!now.isBefore(opened.plus(EVERY)) || now.isBefore(opened.minus(EVERY)));
    }

    /**
     * Writes the choice of a minute that is over. Does nothing while another thread writes.
     *
     * @throws RuntimeException of the store; what was not written stays here, and the next call writes it
     */
    public void write(HandledSamples samples, Instant now) {
        if (writing.tryLock()) {
            try {
                close(now);
                writeClosed(samples);
            } finally {
                writing.unlock();
            }
        }
    }

    /**
     * Writes everything, also the choice of the minute that is not over; for the end of a process.
     *
     * @throws RuntimeException of the store
     */
    public void writeAll(HandledSamples samples) {
        writing.lock();
        try {
            writeClosed(samples);
            close(Instant.MAX);
            writeClosed(samples);
        } finally {
            writing.unlock();
        }
    }

    /** Ends the minute when its time is over. While an earlier choice waits for the store, the minute goes on. */
    private synchronized void close(Instant now) {
        if (unwritten.isEmpty() && isOver(now)) {
            unwritten = reservoirs.values().stream()
                    .flatMap(reservoir -> reservoir.chosen.stream())
                    .toList();
            reservoirs.clear();
            opened = Instant.MAX;
            bytes = 0;
        }
    }

    private void writeClosed(HandledSamples samples) {
        for (List<HandledEvent> page = page(); !page.isEmpty(); page = page()) {
            samples.add(page);
            written(page.size());
        }
    }

    private synchronized List<HandledEvent> page() {
        return List.copyOf(unwritten.subList(0, Math.min(unwritten.size(), HandledSamples.MAX_ADDED)));
    }

    private synchronized void written(int events) {
        unwritten = List.copyOf(unwritten.subList(events, unwritten.size()));
    }
}
