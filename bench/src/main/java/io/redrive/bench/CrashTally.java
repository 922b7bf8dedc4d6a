package io.redrive.bench;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the entries of the ledgers of {@link CrashWorker}s, and compares the counts with the final content of the store.
 */
final class CrashTally {

    /**
     * The result of the comparison.
     *
     * @param published events whose publish returned
     * @param lost published events that are neither handled nor dead letters
     * @param falseDead unexpected dead letters, with their reasons
     * @param doubleTerminal events that ended twice
     * @param duplicates successful handlings of an event beyond the first
     * @param inFlight events begun and not settled at a kill, over all kills: as many duplicates are to be expected
     */
    record Verdict(
            long published, long lost, List<String> falseDead, long doubleTerminal, long duplicates, long inFlight) {}

    private final Set<String> published = new HashSet<>();
    private final Map<String, Integer> handled = new HashMap<>();
    private final Map<String, Integer> ended = new HashMap<>();
    private final Set<String> done = new HashSet<>();
    private final Set<String> open = new HashSet<>();
    private long inFlight;

    void add(CrashLedger.Entry entry) {
        switch (entry.what()) {
            case "life" -> {
                inFlight += open.size();
                open.clear();
            }
            case "published" -> published.add(entry.id());
            case "started" -> open.add(entry.id());
            case "handled" -> handled.merge(entry.id(), 1, Integer::sum);
            case "retry" -> open.remove(entry.id());
            case "done" -> {
                done.add(entry.id());
                end(entry.id());
            }
            default -> end(entry.id());
        }
    }

    private void end(String id) {
        ended.merge(id, 1, Integer::sum);
        open.remove(id);
    }

    Verdict verdict(EventStore store) {
        Map<String, String> letters = letters(store.deadLetters());
        return new Verdict(
                published.size(),
                published.stream()
                        .filter(id -> !handled.containsKey(id) && !letters.containsKey(id))
                        .count(),
                letters.entrySet().stream()
                        .filter(letter -> !CrashWorker.diesAlways(letter.getKey()))
                        .map(letter -> letter.getKey() + ": " + letter.getValue())
                        .toList(),
                ended.values().stream().filter(times -> times > 1).count()
                        + done.stream().filter(letters::containsKey).count(),
                handled.values().stream().mapToLong(times -> times - 1).sum(),
                inFlight);
    }

    /** The dead letters, each event's id with the reason. */
    private static Map<String, String> letters(DeadLetters letters) {
        Map<String, String> ids = new HashMap<>();
        long after = 0;
        for (List<DeadLetter> page = page(letters, after); !page.isEmpty(); page = page(letters, after)) {
            page.forEach(letter -> ids.put(letter.event().id(), letter.reason() + ", " + letter.attempts()));
            after = page.get(page.size() - 1).id();
        }
        return ids;
    }

    private static List<DeadLetter> page(DeadLetters letters, long after) {
        return letters.list(LetterFilter.ALL, after, DeadLetters.MAX_PAGE);
    }
}
