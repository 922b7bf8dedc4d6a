package io.redrive.tidy;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A text file of the repository: its path from the root, with forward slashes, and its text. */
record SourceFile(String path, String text) {
    private static final Pattern COMMENT_OR_LITERAL = Pattern.compile("\"\"\"[\\s\\S]*?(?<!\\\\)\"\"\""
            + "|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\""
            + "|'[^'\\\\\\n]*+(?:\\\\.[^'\\\\\\n]*+)*+'"
            + "|//[^\\n]*"
            + "|/\\*[\\s\\S]*?\\*/");

    List<String> lines() {
        return text.lines().toList();
    }

    /** Returns the lines with comments and literals emptied, so that rules about code ignore prose. */
    List<String> code() {
        return COMMENT_OR_LITERAL
                .matcher(text)
                .replaceAll(found -> found.group().replaceAll("[^\\n]", " "))
                .lines()
                .toList();
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    String module() {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isMain() {
        return isJava() && path.contains("/src/main/");
    }

    boolean isTest() {
        return isJava() && path.contains("/src/test/");
    }

    boolean isIn(Set<String> modules) {
        return modules.contains(module());
    }

    /** Returns place and message in the form that editors turn into a link. */
    String at(int lineIndex, String message) {
        return path + ":" + (lineIndex + 1) + " " + message;
    }
}
