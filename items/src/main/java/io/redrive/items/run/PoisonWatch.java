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
import org.jspecify.annotations.Nullable;

/**
 * Finds the sample that kills its process. Used by the coordinator only.
 *
 * <p>Ordinary samples begin without a write to the store, which would cost more than most stages. So the first death of a
 * process leaves no trace of the culprit. After a death, samples that may have been under way are <em>watched</em>: the store
 * marks each sample as begun before the sample begins, {@value #AT_ONCE} at a time. When the next process dies, the store
 * counts the death against the marked samples. A sample with a count is a <em>suspect</em> and begins alone, with no further
 * sample under way in this process, so that a third death convicts the suspect. A sample with {@value #POISON_AFTER} counts is
 * dead.
 *
 * <p>A sample that waits for a retry is not under way and loses its mark; otherwise deaths caused by further samples would
 * count against the waiting sample. The sample goes back to the store, and is watched again when due. In an ordered run, which
 * keeps its samples, the sample goes on without a mark until another process claims the sample.
 */
final class PoisonWatch {

    /** A sample is given up on when so many processes died while it was marked. */
    static final int POISON_AFTER = 3;

    private static final int AT_ONCE = 16;

    private final Ledger ledger;
    private final Queue<Sample> suspects = new ArrayDeque<>();
    private final Queue<Sample> watched = new ArrayDeque<>();
    /** Samples whose marks are on the way to the store, by ordinal. */
    private final Map<Long, Sample> marking = new HashMap<>();
    /** Samples whose marks are stored; some may have ended since. */
    private final List<Sample> begun = new ArrayList<>();
    /** The suspect that is marked or begun; null when none is under way. */
    private @Nullable Sample alone;

    PoisonWatch(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Takes a sample to watch. */
    void add(Sample sample) {
        (sample.crashed() > 0 ? suspects : watched).add(sample);
    }

    /**
     * True while a suspect is due or under way: no other sample may begin.
     *
     * @param quiet true when no sample is at a stage
     */
    boolean holdsOthers(boolean quiet, Instant now) {
        if (alone != null && quiet && marking.isEmpty()) {
            alone = null;
        }
        return alone != null || suspects.stream().anyMatch(suspect -> suspect.isDue(now));
    }

    /** Marks the next samples, which begin after the commit of their marks. Returns false without such samples. */
    boolean mark(boolean quiet, Instant now) {
        List<Sample> next = new ArrayList<>(0);
        if (holdsOthers(quiet, now)) {
            if (quiet && marking.isEmpty()) {
                take(suspects, 1, now, next);
                alone = next.get(0);
            }
        } else if (!watched.isEmpty()) {
            begun.removeIf(sample -> sample.isLeaving() || !sample.isMarked());
            take(watched, AT_ONCE - begun.size() - marking.size(), now, next);
        }
        for (Sample sample : next) {
            sample.mark();
            marking.put(sample.ordinal(), sample);
            ledger.changed(sample, now);
        }
        return !next.isEmpty();
    }

    private static void take(Queue<Sample> from, int max, Instant now, List<Sample> taken) {
        for (Iterator<Sample> each = from.iterator(); each.hasNext() && taken.size() < max; ) {
            Sample sample = each.next();
            if (sample.isDue(now)) {
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
                marking.remove(sample.ordinal());
                marked.add(sample);
            }
        }
        begun.addAll(marked);
        return marked;
    }
}
