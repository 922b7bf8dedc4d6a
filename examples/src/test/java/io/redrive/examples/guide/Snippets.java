package io.redrive.examples.guide;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pieces of compiled source between the comments {@code snippet: name} and {@code end}, by name, moved to the left. */
final class Snippets {

    private static final Pattern START = Pattern.compile("\\s*// snippet: ([\\w-]+)");
    private static final Pattern END = Pattern.compile("\\s*// end");

    private Snippets() {}

    static Map<String, String> in(List<String> source) {
        Map<String, String> snippets = new LinkedHashMap<>();
        for (int i = 0; i < source.size(); i++) {
            Matcher start = START.matcher(source.get(i));
            if (start.matches()) {
                int from = i + 1;
                while (!END.matcher(source.get(i)).matches()) {
                    i++;
                    if (i == source.size()) {
                        throw new IllegalStateException("snippet '" + start.group(1) + "' has no end; add // end");
                    }
                }
                String text = String.join("\n", source.subList(from, i)).stripIndent();
                if (snippets.put(start.group(1), text) != null) {
                    throw new IllegalStateException("two snippets are called '" + start.group(1) + "'; rename one");
                }
            }
        }
        return snippets;
    }
}
