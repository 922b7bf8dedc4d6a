package io.redrive.kafka;

import java.util.Collection;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What earlier owners of a partition did with records that Kafka has not delivered to this owner yet. Pure, not thread-safe. */
final class Inheritance {

    private final NavigableSet<Long> finished;
    private final NavigableMap<Long, Integer> failed;

    /** Takes over the progress of the owner before; {@code settled} are offsets that the store has adopted. */
    Inheritance(Progress from, Collection<Long> settled) {
        finished = new TreeSet<>(from.finished());
        finished.addAll(settled);
        finished.headSet(from.watermark(), false).clear();
        failed = new TreeMap<>(from.failed());
    }

    /** Forgets offsets that will not be delivered any more. */
    void forgetBelow(long offset) {
        // Both are nearly always empty, and a view of a set costs more than the rest of a delivery.
        if (!finished.isEmpty()) {
            finished.headSet(offset, false).clear();
        }
        if (!failed.isEmpty()) {
            failed.headMap(offset, false).clear();
        }
    }

    /** Returns true, once, when an earlier owner has finished the record. */
    boolean takeFinished(long offset) {
        boolean was = !finished.isEmpty() && finished.remove(offset);
        if (was) {
            failed.remove(offset);
        }
        return was;
    }

    /** Returns, once, the failed attempts of the record. */
    int takeFailures(long offset) {
        @Nullable Integer failures = failed.isEmpty() ? null : failed.remove(offset);
        return failures == null ? 0 : failures;
    }

    /** Hands on what was not taken. */
    void addTo(Progress progress) {
        progress.finished().addAll(finished);
        progress.failed().putAll(failed);
    }
}
