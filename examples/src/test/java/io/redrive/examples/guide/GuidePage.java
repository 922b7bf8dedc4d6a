package io.redrive.examples.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the guide, and its blocks with a prescribed text: after the comment {@code snippet: name} a fenced block of
 * Java, after {@code output: name} a fenced block or a table. After {@code program: Name} stands a whole program, which is
 * run as it is; after {@code file: path} a file of an application that {@code .ci/newcomer} builds and starts.
 */
record GuidePage(String name, List<String> lines) {

    private static final Pattern MARKER = Pattern.compile("<!-- (snippet|output|program|file): ([\\w./-]+) -->");
    private static final String FENCE = "```";

    GuidePage {
        lines = List.copyOf(lines);
    }

    /** Lines {@code from} to {@code until}, without fences, must equal the text of {@code kind} and {@code name}. */
    record Block(String kind, String name, int from, int until, String text) {}

    /** The blocks that quote something. */
    List<Block> quotes() {
        return blocks().stream()
                .filter(block -> Set.of("snippet", "output").contains(block.kind()))
                .toList();
    }

    /** The programs. */
    List<Block> programs() {
        return blocks().stream().filter(block -> block.kind().equals("program")).toList();
    }

    private List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i + 1 < lines.size(); i++) {
            Matcher marker = MARKER.matcher(lines.get(i));
            if (marker.matches()) {
                boolean fenced = lines.get(i + 1).startsWith(FENCE);
                int from = fenced ? i + 2 : i + 1;
                int until = from;
                while (until < lines.size() && !isEnd(lines.get(until), fenced)) {
                    until++;
                }
                String text = String.join("\n", lines.subList(from, until));
                blocks.add(new Block(marker.group(1), marker.group(2), from, until, text));
            }
        }
        return blocks;
    }

    /** Places with Java code not compiled by any test. */
    List<String> unmarkedJava() {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean marked = i > 0 && MARKER.matcher(lines.get(i - 1)).matches();
            if (lines.get(i).startsWith(FENCE + "java") && !marked) {
                found.add(name + ":" + (i + 1) + " Java that nothing compiles; put <!-- snippet: name --> before it");
            }
        }
        return found;
    }

    /** Returns the page with a new text in the block. */
    GuidePage with(Block block, String text) {
        List<String> changed = new ArrayList<>(lines.subList(0, block.from()));
        changed.addAll(text.lines().toList());
        changed.addAll(lines.subList(block.until(), lines.size()));
        return new GuidePage(name, changed);
    }

    private static boolean isEnd(String line, boolean fenced) {
        return fenced ? line.startsWith(FENCE) : line.isBlank();
    }
}
