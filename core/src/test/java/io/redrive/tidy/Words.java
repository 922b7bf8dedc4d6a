package io.redrive.tidy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules about prose: the share of vague words in a module's comments, and a glossary in each module. */
final class Words {
    /** Pronouns and fillers that leave a reader asking which noun is meant. */
    private static final Set<String> VAGUE = Set.of(
            ("it its they them their those that what who whoever whatever others other somebody nobody one ones some so"
                            + " such thing things something anything nothing here there then now else")
                    .split(" "));

    static final double MAX_VAGUE_SHARE = 0.06;
    private static final int SHORTEST_COMMENT = 6;
    private static final int SHOWN = 5;

    private static final Pattern COMMENT = Pattern.compile("/\\*\\*?([\\s\\S]*?)\\*/|//([^\\n]*(?:\\n\\s*//[^\\n]*)*)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");

    private Words() {}

    private record Comment(SourceFile file, int line, int words, int vague) {
        double share() {
            return (double) vague / words;
        }
    }

    /** One line for each module whose comments are vague, with the comments to rewrite first. */
    static List<String> vagueModules(List<SourceFile> files) {
        Map<String, List<Comment>> modules = new TreeMap<>();
        for (SourceFile file : files) {
            if (file.isMain() && !file.isIn(TidyRules.UNPUBLISHED)) {
                modules.computeIfAbsent(file.module(), module -> new ArrayList<>())
                        .addAll(comments(file));
            }
        }
        List<String> found = new ArrayList<>();
        modules.forEach((module, comments) -> {
            int words = comments.stream().mapToInt(Comment::words).sum();
            int vague = comments.stream().mapToInt(Comment::vague).sum();
            if (vague > words * MAX_VAGUE_SHARE) {
                found.add(String.format(
                        Locale.ROOT,
                        "%s: %.1f %% of the words in comments are pronouns and fillers, at most %.0f %%; name the noun. Worst: %s",
                        module,
                        100.0 * vague / words,
                        100 * MAX_VAGUE_SHARE,
                        worst(comments)));
            }
        });
        return found;
    }

    private static String worst(List<Comment> comments) {
        return comments.stream()
                .sorted(Comparator.comparingDouble(Comment::share)
                        .thenComparingInt(Comment::words)
                        .reversed())
                .limit(SHOWN)
                .map(comment -> comment.file.path() + ":" + comment.line)
                .toList()
                .toString();
    }

    private static List<Comment> comments(SourceFile file) {
        List<Comment> comments = new ArrayList<>();
        Matcher comment = COMMENT.matcher(file.text());
        while (comment.find()) {
            String body = (comment.group(1) == null ? comment.group(2) : comment.group(1))
                    .replaceAll("(?s)<pre>.*?</pre>", "");
            List<String> words =
                    WORD.matcher(body).results().map(word -> word.group()).toList();
            if (words.size() >= SHORTEST_COMMENT) {
                int line =
                        (int) file.text().substring(0, comment.start()).lines().count() + 1;
                int vague = (int) words.stream()
                        .filter(word -> VAGUE.contains(word.toLowerCase(Locale.ROOT)))
                        .count();
                comments.add(new Comment(file, line, words.size(), vague));
            }
        }
        return comments;
    }

    /** A module without a definition list in any package-info leaves its nouns to guessing. */
    static List<String> modulesWithoutGlossary(List<String> modules, List<SourceFile> files) {
        Map<String, Boolean> glossaries = new HashMap<>();
        for (SourceFile file : files) {
            if (file.isMain()
                    && file.name().equals("package-info.java")
                    && file.text().contains("<dt>")) {
                glossaries.put(file.module(), true);
            }
        }
        return modules.stream()
                .filter(module -> files.stream()
                        .anyMatch(file ->
                                file.isMain() && file.module().equals(module) && !file.isIn(TidyRules.UNPUBLISHED)))
                .filter(module -> !glossaries.containsKey(module))
                .map(module -> module
                        + ": no package-info has a glossary; define the module's nouns in a list of <dt> and <dd>")
                .toList();
    }
}
