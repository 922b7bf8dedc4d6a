package io.redrive.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A pattern that must not appear in certain files, and the remedy. */
record Ban(Pattern pattern, String instead, Predicate<SourceFile> where, Function<SourceFile, List<String>> view) {

    static Ban inCode(String regex, String instead, Predicate<SourceFile> where) {
        return new Ban(Pattern.compile(regex), instead, where, SourceFile::code);
    }

    static Ban inText(String regex, String instead, Predicate<SourceFile> where) {
        return new Ban(Pattern.compile(regex), instead, where, SourceFile::lines);
    }

    static List<String> violations(List<Ban> bans, List<SourceFile> files) {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            for (Ban ban : bans) {
                if (ban.where.test(file)) {
                    ban.search(file, found);
                }
            }
        }
        return found;
    }

    private void search(SourceFile file, List<String> found) {
        List<String> lines = view.apply(file);
        for (int i = 0; i < lines.size(); i++) {
            var matcher = pattern.matcher(lines.get(i));
            if (matcher.find()) {
                found.add(file.at(i, "'" + matcher.group().strip() + "': " + instead));
            }
        }
    }
}
