package io.redrive.events;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The causes of a redrive operation's letters, each with its number of letters.
 *
 * @param selected causes of the selection, at most {@link #MAX_CAUSES}
 * @param returned causes of events that died again, at most {@link #MAX_CAUSES}
 */
public record RedriveCauses(Map<String, Long> selected, Map<String, Long> returned) {

    /** The most causes that are told apart. */
    public static final int MAX_CAUSES = 1_000;

    /** Stands for all causes beyond {@link #MAX_CAUSES}; no fingerprint is this text. */
    public static final String FURTHER = "*";

    /** No causes. */
    public static final RedriveCauses NONE = new RedriveCauses(Map.of(), Map.of());

    /** Copies the causes. */
    public RedriveCauses {
        selected = Map.copyOf(selected);
        returned = Map.copyOf(returned);
    }

    RedriveCauses plusSelected(Map<String, Long> more) {
        return new RedriveCauses(sum(selected, more), returned);
    }

    RedriveCauses plusReturned(Map<String, Long> more) {
        return new RedriveCauses(selected, sum(returned, more));
    }

    /** Returns the returned causes that the selection had. */
    Set<String> back() {
        Set<String> back = new HashSet<>(returned.keySet());
        if (!selected.containsKey(FURTHER)) {
            back.retainAll(selected.keySet());
        }
        return back;
    }

    /** Returns true when the selections of two operations may have a letter in common. */
    public boolean overlap(RedriveCauses other) {
        return selected.containsKey(FURTHER)
                || other.selected.containsKey(FURTHER)
                || selected.keySet().stream().anyMatch(other.selected::containsKey);
    }

    private static Map<String, Long> sum(Map<String, Long> causes, Map<String, Long> more) {
        Map<String, Long> sum = new LinkedHashMap<>(causes);
        more.forEach((cause, letters) ->
                sum.merge(sum.containsKey(cause) || sum.size() < MAX_CAUSES ? cause : FURTHER, letters, Long::sum));
        return sum;
    }
}
