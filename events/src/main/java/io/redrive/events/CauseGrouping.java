package io.redrive.events;

import io.redrive.core.SettingException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules that split one cause into several, or force several causes together. Without a rule, letters with the same error type and the
 * same normalized message share a cause. A rule is a text, {@code WHICH by KEY} or {@code WHICH as LABEL}; the first rule whose {@code
 * WHICH} matches a failure decides.
 *
 * <ul>
 *   <li>{@code WHICH} is {@code *}, {@code type:IOException}, {@code name:order.*}, or {@code cause:5f1c09a2b7d3}, the fingerprint that
 *       the failure has without rules.
 *   <li>{@code KEY} is {@code name}, {@code source}, {@code header:tenant}, or a JSON pointer such as {@code /tenant}. Each value gets a
 *       cause of its own, {@code 5f1c09a2b7d3.acme}; a letter without a value stays in the cause without rules.
 *   <li>{@code LABEL} is the fingerprint that all matching letters share.
 * </ul>
 *
 * <p>A pure function of failure and event, applied when an event dies: letters that are dead already stay where they are. Immutable,
 * thread-safe.
 *
 * <pre>{@code
 * CauseGrouping.of(List.of("type:TimeoutException by header:tenant", "type:ConnectException as bank-down"))
 * }</pre>
 */
public final class CauseGrouping {

    /** No rules. */
    public static final CauseGrouping NONE = new CauseGrouping(List.of());

    /** The most rules. */
    public static final int MAX_RULES = 100;

    private final List<CauseGroupingRule> rules;

    private CauseGrouping(List<CauseGroupingRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules.
     *
     * @throws SettingException when a rule is refused; the key is {@code rules[n]}, counted from 0
     */
    public static CauseGrouping of(List<String> rules) {
        if (rules.size() > MAX_RULES) {
            throw SettingException.of("rules", "must be at most " + MAX_RULES + " rules", "" + rules.size());
        }
        List<CauseGroupingRule> read = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            read.add(CauseGroupingRule.read("rules[" + i + "]", rules.get(i)));
        }
        return new CauseGrouping(read);
    }

    /** Returns true when there are no rules. */
    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /**
     * Returns the fingerprint of a failure under these rules.
     *
     * @param event the event that failed, without secrets: values of the event become part of the fingerprint
     */
    public String fingerprint(String errorType, String message, Event event) {
        String plain = Fingerprint.of(errorType, message);
        CauseGroupingRule.Failed failed = new CauseGroupingRule.Failed(errorType, plain, event);
        return rules.stream()
                .filter(rule -> rule.which().test(failed))
                .findFirst()
                .map(rule -> rule.fingerprint().apply(failed))
                .orElse(plain);
    }
}
