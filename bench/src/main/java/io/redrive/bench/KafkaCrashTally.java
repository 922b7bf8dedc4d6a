package io.redrive.bench;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the acknowledged records of a round, the ledger of its workers, and the letters of its store. Knows nothing of offsets,
 * bookmarks and settled places.
 */
final class KafkaCrashTally {

    /** A commit is due every 100 ms; the rest is for its way to the broker and back on a busy machine. */
    private static final long COMMIT_MS = 400;

    /** The pulses of {@link #COMMIT_MS}: a process that got no time from the machine could not commit either. */
    private static final int COMMIT_PULSES = (int) (COMMIT_MS / KafkaCrashWorker.PULSE.toMillis());

    /** Time for a process that was stopped to notice that its partitions are gone. */
    private static final long NOTICE_MS = 1_500;

    private static final long EVERY_PROCESS = 0;

    /**
     * A fault.
     *
     * @param process the process that was hit; 0 when all processes were, because the broker or the store failed
     * @param begin milliseconds of the system's clock
     * @param end the end of the fault; the begin for a kill
     */
    record Fault(long process, long begin, long end) {

        static Fault ofAll(long begin, long end) {
            return new Fault(EVERY_PROCESS, begin, end);
        }

        boolean hits(KafkaCrashLedger.Entry entry) {
            return process == EVERY_PROCESS || process == entry.process();
        }

        boolean covers(KafkaCrashLedger.Entry entry, long lastCommit) {
            return hits(entry) && entry.at() >= lastCommit && entry.at() <= (begin == end ? end : end + NOTICE_MS);
        }
    }

    /**
     * The result of a round.
     *
     * @param sent acknowledged records
     * @param lost acknowledged records that were neither handled nor are letters, and replayed records that were not handled again
     * @param unsent handled records that nobody sent, or of an aborted transaction
     * @param wrongLetters letters that are missing, unexpected, or there too often
     * @param settledTwice records with several ends that should have one
     * @param outOfOrder records that began before an earlier record of their key had ended
     * @param duplicates records handled again
     * @param allowed records in flight at the faults, and finished since the last commit before
     * @param notes the first wrong records
     */
    record Verdict(
            long sent,
            long lost,
            long unsent,
            long wrongLetters,
            long settledTwice,
            long outOfOrder,
            long duplicates,
            long allowed,
            List<String> notes) {}

    private final Collection<String> sent;
    private final List<KafkaCrashLedger.Entry> entries;
    private final Set<String> replayed;
    private final List<String> notes = new ArrayList<>();

    /**
     * Creates a tally.
     *
     * @param sent the texts of acknowledged records, in the order of sending
     * @param replayed the texts of records that an operator's reset lets handle once more
     */
    KafkaCrashTally(Collection<String> sent, List<KafkaCrashLedger.Entry> entries, Set<String> replayed) {
        this.sent = sent;
        this.entries = entries;
        this.replayed = replayed;
    }

    Verdict verdict(EventStore store, List<Fault> faults, boolean isOrdered) {
        Map<String, Integer> handled = count("handled");
        Map<String, Integer> letters = letters(store.deadLetters());
        long lost = sent.stream()
                .filter(text -> handled.getOrDefault(text, 0) < expected(text) && !letters.containsKey(text))
                .peek(text -> note("lost " + text))
                .count();
        return new Verdict(
                sent.size(),
                lost,
                unsent(handled.keySet()),
                wrongLetters(letters),
                settledTwice(handled, letters),
                isOrdered ? outOfOrder() : 0,
                handled.entrySet().stream()
                        .mapToLong(each -> Math.max(0, each.getValue() - expected(each.getKey())))
                        .sum(),
                allowed(faults),
                notes);
    }

    private long unsent(Set<String> handled) {
        Set<String> strange = new HashSet<>(handled);
        strange.removeAll(new HashSet<>(sent));
        strange.forEach(text -> note("never sent " + text));
        return strange.size();
    }

    private void note(String what) {
        if (notes.size() < 10) {
            notes.add(what);
        }
    }

    private int expected(String text) {
        return replayed.contains(text) ? 2 : 1;
    }

    private Map<String, Integer> count(String what) {
        Map<String, Integer> counts = new HashMap<>();
        entries.stream()
                .filter(entry -> entry.what().equals(what))
                .forEach(entry -> counts.merge(entry.record(), 1, Integer::sum));
        return counts;
    }

    private long wrongLetters(Map<String, Integer> letters) {
        Set<String> all = new HashSet<>(sent);
        all.addAll(letters.keySet());
        long wrong = 0;
        for (String text : all) {
            int meant = KafkaCrashWorker.diesAlways(text) ? expected(text) : 0;
            int found = letters.getOrDefault(text, 0);
            if (found != meant) {
                note("letter " + text + " is there " + found + " times");
                wrong++;
            }
        }
        return wrong;
    }

    private long settledTwice(Map<String, Integer> handled, Map<String, Integer> letters) {
        Map<String, Integer> deaths = count("dead");
        long twice = deaths.entrySet().stream()
                .filter(each -> each.getValue() > expected(each.getKey()))
                .peek(each -> note("died twice " + each.getKey()))
                .count();
        return twice
                + letters.keySet().stream()
                        .filter(handled::containsKey)
                        .peek(text -> note("handled and dead " + text))
                        .count();
    }

    /** A record may begin when all earlier records of its key were handled, or failed for good, at least once. */
    private long outOfOrder() {
        Map<String, List<String>> lines = new HashMap<>();
        sent.forEach(text -> lines.computeIfAbsent(KafkaCrashWorker.key(text), key -> new ArrayList<>())
                .add(text));
        Map<String, Integer> ended = new HashMap<>();
        Map<String, Set<String>> endedTexts = new HashMap<>();
        long wrong = 0;
        for (KafkaCrashLedger.Entry entry : entries) {
            boolean isOfRecord = !entry.what().equals("life") && !entry.what().equals(KafkaCrashLedger.PULSE);
            String key = isOfRecord ? KafkaCrashWorker.key(entry.record()) : "";
            List<String> line = lines.getOrDefault(key, List.of());
            if (entry.what().equals("handled") || entry.what().equals("doomed")) {
                Set<String> texts = endedTexts.computeIfAbsent(key, unused -> new HashSet<>());
                texts.add(entry.record());
                int next = ended.getOrDefault(key, 0);
                while (next < line.size() && texts.contains(line.get(next))) {
                    next++;
                }
                ended.put(key, next);
            } else if (entry.what().equals("began") && line.indexOf(entry.record()) > ended.getOrDefault(key, 0)) {
                note("out of order " + entry.record());
                wrong++;
            }
        }
        return wrong;
    }

    private long allowed(List<Fault> faults) {
        Set<KafkaCrashLedger.Entry> allowed = new HashSet<>();
        for (Fault fault : faults) {
            Map<String, KafkaCrashLedger.Entry> open = new HashMap<>();
            long lastCommit = lastCommit(fault);
            for (KafkaCrashLedger.Entry entry : entries) {
                if (entry.what().equals("settled") && fault.covers(entry, lastCommit)) {
                    allowed.add(entry);
                }
                if (!fault.hits(entry) || entry.at() > fault.begin()) {
                    continue;
                }
                if (entry.what().equals("began")) {
                    open.put(entry.record(), entry);
                } else if (!entry.what().equals("handled")) {
                    // A handled record is in flight until the pipeline has settled it.
                    open.remove(entry.record());
                }
            }
            allowed.addAll(open.values());
        }
        return allowed.size();
    }

    /** Returns the time since which the process that was hit may have committed nothing. */
    private long lastCommit(Fault fault) {
        List<Long> pulses = entries.stream()
                .filter(entry -> entry.what().equals(KafkaCrashLedger.PULSE)
                        && entry.process() == fault.process()
                        && entry.at() <= fault.begin())
                .map(KafkaCrashLedger.Entry::at)
                .toList();
        long latest = fault.begin() - COMMIT_MS;
        return pulses.size() <= COMMIT_PULSES
                ? latest
                : Math.min(latest, pulses.get(pulses.size() - 1 - COMMIT_PULSES));
    }

    /** Returns how many letters each record has, by the text of the record. */
    private static Map<String, Integer> letters(DeadLetters letters) {
        Map<String, Integer> counts = new HashMap<>();
        long after = 0;
        for (List<DeadLetter> page = page(letters, after); !page.isEmpty(); page = page(letters, after)) {
            page.forEach(letter -> counts.merge(KafkaCrashWorker.text(letter.event()), 1, Integer::sum));
            after = page.get(page.size() - 1).id();
        }
        return counts;
    }

    private static List<DeadLetter> page(DeadLetters letters, long after) {
        return letters.list(LetterFilter.ALL, after, DeadLetters.MAX_PAGE);
    }
}
