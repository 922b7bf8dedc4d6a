package io.redrive.events;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One row in the record of actions: the progress of an operator's command.
 *
 * @param command the command with its operator, origin and letters
 * @param action the verb of the command, such as redrive, edit or purge
 * @param at when the command began
 * @param updated when the row last changed
 * @param outcome how the command stands or ended, in words; empty for a command of a single step
 * @param letters the number of letters that the command has changed
 * @param causes the number of changed letters for each fingerprint, the largest first; at most {@link #MAX_CAUSES}
 */
public record OperatorAction(
        OperatorCommand command,
        String action,
        Instant at,
        Instant updated,
        String outcome,
        long letters,
        Map<String, Long> causes) {

    /** The most causes of a row; letters of further causes count only in the total. */
    public static final int MAX_CAUSES = 100;

    /** Cuts a long outcome and keeps the largest causes. */
    public OperatorAction {
        Texts.require("action", action);
        outcome = Texts.cut(Texts.wellFormed(outcome), OperatorCommand.MAX_TEXT);
        causes = largest(causes);
    }

    /** Returns a row for a command that has not changed any letter yet. */
    public static OperatorAction begun(OperatorCommand command, String action, Instant now) {
        return new OperatorAction(command, action, now, now, "", 0, Map.of());
    }

    /** Returns the operator who gave the command. */
    public String operator() {
        return command.operator();
    }

    /** Which letters, and how the command stands or ended. */
    public String detail() {
        String about = command.about();
        return about.isEmpty() || outcome.isEmpty() ? about + outcome : about + "; " + outcome;
    }

    /** Returns the row after the command changed more letters, counted by their causes. */
    public OperatorAction plus(Map<String, Long> more, Instant now) {
        Map<String, Long> sum = new LinkedHashMap<>(causes);
        more.forEach((cause, count) -> sum.merge(cause, count, Long::sum));
        long added = more.values().stream().mapToLong(Long::longValue).sum();
        return new OperatorAction(command, action, at, later(now), outcome, letters + added, sum);
    }

    /** Returns the row with another outcome. */
    public OperatorAction withOutcome(String words, Instant now) {
        return new OperatorAction(command, action, at, later(now), words, letters, causes);
    }

    private Instant later(Instant now) {
        return now.isAfter(updated) ? now : updated;
    }

    private static Map<String, Long> largest(Map<String, Long> causes) {
        Stream<Map.Entry<String, Long>> ordered = causes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MAX_CAUSES);
        Map<String, Long> kept = new LinkedHashMap<>();
        ordered.forEach(entry -> kept.put(entry.getKey(), entry.getValue()));
        return Collections.unmodifiableMap(kept);
    }
}
