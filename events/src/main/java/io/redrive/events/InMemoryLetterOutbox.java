package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Notes of the letters of an {@link InMemoryEventStore}. */
final class InMemoryLetterOutbox implements LetterOutbox {

    private final Map<String, Box> boxes = new HashMap<>();

    /** The notes of one outbox: letters, and until when a sender has taken them. */
    private static final class Box {
        private final TreeMap<Long, Instant> notes = new TreeMap<>();
        private Instant seen;

        Box(Instant seen) {
            this.seen = seen;
        }
    }

    /** Notes a new letter in each outbox. Called with the lock of the letters held. */
    synchronized void arrived(DeadLetter letter) {
        boxes.values().stream()
                .filter(box -> box.seen.plus(FORGOTTEN).isAfter(letter.deadAt()))
                .forEach(box -> box.notes.put(letter.id(), Instant.MIN));
    }

    @Override
    public synchronized void open(String name, Instant now) {
        boxes.computeIfAbsent(LetterOutbox.requireName(name), unused -> new Box(now)).seen = now;
    }

    @Override
    public synchronized List<Long> take(String name, int limit, Duration lease, Instant now) {
        LetterOutbox.requireLimit(limit);
        Box box = boxes.get(name);
        List<Long> taken = new ArrayList<>();
        if (box != null) {
            box.seen = now;
            box.notes.forEach((letter, until) -> {
                if (taken.size() < limit && !until.isAfter(now)) {
                    taken.add(letter);
                }
            });
            taken.forEach(letter -> box.notes.put(letter, now.plus(lease)));
        }
        return taken;
    }

    @Override
    public synchronized void sent(String name, Collection<Long> letters) {
        Box box = boxes.get(name);
        if (box != null) {
            box.notes.keySet().removeAll(List.copyOf(letters));
        }
    }

    @Override
    public synchronized long waiting(String name) {
        Box box = boxes.get(name);
        return box == null ? 0 : box.notes.size();
    }

    @Override
    public synchronized void close(String name) {
        boxes.remove(name);
    }

    synchronized void clear() {
        boxes.clear();
    }
}
