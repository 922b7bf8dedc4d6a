package io.redrive.events.redaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces the parts of a text that patterns match, within a {@link SearchBudget}. Immutable. */
final class TextPatterns {

    /** The replacement of a text that the patterns could not search within their budget. */
    static final String OVER_BUDGET = "[redacted: a pattern took too long]";

    private final List<Pattern> patterns;

    TextPatterns(List<Pattern> patterns) {
        this.patterns = List.copyOf(patterns);
    }

    boolean isEmpty() {
        return patterns.isEmpty();
    }

    SearchBudget budget(long characters) {
        return new SearchBudget(patterns.size(), characters);
    }

    /** Replaces all matches in one text. A search that takes too long replaces the whole text. */
    String replaced(String text) {
        return replaced(text, budget(text.length()));
    }

    /** {@link #replaced(String)} for one of several texts that share a budget. */
    String replaced(String text, SearchBudget budget) {
        String result = text;
        try {
            for (Pattern pattern : patterns) {
                result = replaced(pattern, result, budget);
            }
            return result;
        } catch (SearchBudget.Exhausted | StackOverflowError e) {
            // Java's expressions recurse: a long text may end the stack before the budget.
            return OVER_BUDGET;
        }
    }

    private static String replaced(Pattern pattern, String text, SearchBudget budget) {
        Matcher matcher = pattern.matcher(budget.counted(text));
        StringBuilder result = new StringBuilder(text.length());
        int kept = 0;
        while (matcher.find()) {
            if (matcher.end() > matcher.start()) {
                result.append(text, kept, matcher.start()).append(Redaction.REPLACEMENT);
                kept = matcher.end();
            }
        }
        return kept == 0 ? text : result.append(text, kept, text.length()).toString();
    }

    /** Replaces literal values, the longest first. */
    static String without(Collection<String> secrets, String text) {
        List<String> longestFirst = new ArrayList<>(secrets);
        longestFirst.sort(Comparator.comparingInt(String::length).reversed());
        String result = text;
        for (String secret : longestFirst) {
            result = result.replace(secret, Redaction.REPLACEMENT);
        }
        return result;
    }
}
