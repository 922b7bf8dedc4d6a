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

    /** Time for a process that was stopped to notice that its partitions are gone. */
    private static final long NOTICE_MS = 1_500;

    private static final long EVERY_PROCESS = 0;

    /**
     * A fault.
     *
     * @param process the process that was hit; 0 when all processes were, because the broker or the store failed
     * @param begin milliseconds of the system's clock
     * @param end the time from which on the processes work as before; the begin for a kill
     */
    record Fault(long process, long begin, long end) {

        /** A process that was dead at this time, and wrote no entry afterwards. */
        static Fault kill(long process, long dead) {
            return new Fault(process, dead, dead);
        }

        static Fault stall(long process, long begin, long end) {
            return new Fault(process, begin, end + NOTICE_MS);
        }

        static Fault ofAll(long begin, long end) {
            return new Fault(EVERY_PROCESS, begin, end + NOTICE_MS);
        }

        boolean hits(long other) {
            return process == EVERY_PROCESS || process == other;
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
     * @param uncommittedMs the longest time between a kill and the oldest settled record that perhaps no commit has
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
            long uncommittedMs,
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
                uncommittedMs(faults),
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
            String key = entry.isOfRecord() ? KafkaCrashWorker.key(entry.record()) : "";
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

    /**
     * Counts what processes that were hit had in flight, and what they settled since their last commit. An acknowledged commit has
     * everything that was settled before the acknowledgement of the commit before, because a process has one commit under way at a time.
     */
    private long allowed(List<Fault> faults) {
        Set<KafkaCrashLedger.Entry> allowed = new HashSet<>();
        for (Fault fault : faults) {
            Map<Long, Long> lastCommits = lastCommits(fault);
            Map<String, KafkaCrashLedger.Entry> open = new HashMap<>();
            for (KafkaCrashLedger.Entry entry : entries) {
                if (!fault.hits(entry.process()) || !entry.isOfRecord() || entry.at() > fault.end()) {
                    continue;
                }
                if (entry.what().equals("settled") && entry.at() >= lastCommits.get(entry.process())) {
                    allowed.add(entry);
                }
                if (entry.at() > fault.begin()) {
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

    /** Returns the time of the last commit but one before a fault, by the processes that were hit; the first entry when there is none. */
    private Map<Long, Long> lastCommits(Fault fault) {
        Map<Long, Long> last = new HashMap<>();
        Map<Long, Long> lastButOne = new HashMap<>();
        for (KafkaCrashLedger.Entry entry : entries) {
            if (fault.hits(entry.process())
                    && lastButOne.putIfAbsent(entry.process(), entry.at()) != null
                    && entry.what().equals(KafkaCrashLedger.COMMITTED)
                    && entry.at() <= fault.begin()) {
                Long before = last.put(entry.process(), entry.at());
                if (before != null) {
                    lastButOne.put(entry.process(), before);
                }
            }
        }
        return lastButOne;
    }

    /** Returns the longest time between a kill and the oldest settled record that perhaps no commit has. */
    private long uncommittedMs(List<Fault> faults) {
        long longest = 0;
        for (Fault kill : faults) {
            if (kill.begin() == kill.end()) {
                long since = lastCommits(kill).getOrDefault(kill.process(), kill.begin());
                long oldest = entries.stream()
                        .filter(entry -> entry.process() == kill.process()
                                && entry.what().equals("settled")
                                && entry.at() >= since)
                        .mapToLong(KafkaCrashLedger.Entry::at)
                        .min()
                        .orElse(kill.begin());
                longest = Math.max(longest, kill.begin() - oldest);
            }
        }
        return longest;
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
