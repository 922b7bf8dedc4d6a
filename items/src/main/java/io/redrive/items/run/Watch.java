package io.redrive.items.run;

import io.redrive.items.store.Commit;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Finds the sample that kills its process. Used by the coordinator only.
 *
 * <p>Ordinary samples are begun without a word to the store: to write each one first would cost more than most stages. So the
 * first process that dies leaves no trace of the sample that killed it. From then on samples that may have been under way are
 * <em>watched</em>: each is marked as begun in the store before it is begun, {@value #AT_ONCE} at a time. When the next process
 * dies, the store counts the marked samples. A sample with a count is a <em>suspect</em>: it is begun alone, with no other
 * sample under way in this process, and so a third death convicts nobody but the culprit. A sample with
 * {@value #POISON_AFTER} counts is given up on.
 *
 * <p>A sample that waits out a backoff is not under way, and loses its mark: a neighbour that waits while others die must not
 * be counted with them. It is given back to the store, and watched anew when it is due. In an ordered run, which keeps its
 * samples, it goes on without a mark until another process claims it.
 */
final class Watch {

    /** How many processes a sample may have been found in that died. */
    static final int POISON_AFTER = 3;

    private static final int AT_ONCE = 16;

    private final Queue<Sample> suspects = new ArrayDeque<>();
    private final Queue<Sample> others = new ArrayDeque<>();
    /** Their marks are on the way to the store. */
    private final Map<Long, Sample> marking = new HashMap<>();
    /** Begun, and perhaps at their end since. */
    private final List<Sample> begun = new ArrayList<>();
    /** A suspect that is marked or begun; null when none is under way. */
    private Sample alone;

    private final Ledger ledger;

    Watch(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Takes a sample that is to be watched. */
    void add(Sample sample) {
        (sample.crashed > 0 ? suspects : others).add(sample);
    }

    /**
     * True while suspects are to be begun, or one is under way: nothing else may begin.
     *
     * @param quiet true when no sample is at a stage
     */
    boolean holdsOthers(boolean quiet, Instant now) {
        if (alone != null && quiet && marking.isEmpty()) {
            alone = null;
        }
        return alone != null || suspects.stream().anyMatch(suspect -> isDue(suspect, now));
    }

    /** Marks the next samples, if any; they may begin once their marks are stored. */
    boolean mark(boolean quiet, Instant now) {
        List<Sample> next = new ArrayList<>(0);
        if (holdsOthers(quiet, now)) {
            if (quiet && marking.isEmpty()) {
                take(suspects, 1, now, next);
                alone = next.get(0);
            }
        } else if (!others.isEmpty()) {
            begun.removeIf(sample -> sample.state.isFinal() || sample.parked || !sample.begun);
            take(others, AT_ONCE - begun.size() - marking.size(), now, next);
        }
        for (Sample sample : next) {
            sample.begun = true;
            marking.put(sample.ordinal, sample);
            ledger.changed(sample, now);
        }
        return !next.isEmpty();
    }

    private static void take(Queue<Sample> from, int max, Instant now, List<Sample> taken) {
        for (Iterator<Sample> each = from.iterator(); each.hasNext() && taken.size() < max; ) {
            Sample sample = each.next();
            if (isDue(sample, now)) {
                each.remove();
                taken.add(sample);
            }
        }
    }

    /** These changes are stored. Returns the samples whose marks are among them: they may begin. */
    List<Sample> stored(List<Commit.Change> changes) {
        List<Sample> marked = new ArrayList<>(0);
        if (marking.isEmpty()) {
            return marked;
        }
        for (Commit.Change change : changes) {
            Sample sample = marking.get(change.sample().ordinal());
            if (sample != null && change.sample().progress().begun()) {
                marking.remove(sample.ordinal);
                marked.add(sample);
            }
        }
        begun.addAll(marked);
        return marked;
    }

    private static boolean isDue(Sample sample, Instant now) {
        return sample.due == null || !sample.due.isAfter(now);
    }
}
