package io.redrive.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Commands of documentation pages, as a shell would split them. */
final class Commands {

    private static final Pattern COMMAND = Pattern.compile("^\\s*(?:\\$ )?(?:\\./)?redrive (.*)$");
    private static final Pattern IN_TEXT = Pattern.compile("`\\./redrive ([^`]*--store [^`]*)`");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private Commands() {}

    /** Returns the commands in code blocks, and the commands in the text that name a store. */
    static List<String> of(String page) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        Path file = Stream.of(root, root.getParent())
                .map(folder -> folder.resolve(page))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        List<String> commands = new ArrayList<>();
        boolean inBlock = false;
        for (String line : Files.readAllLines(file)) {
            inBlock ^= line.strip().startsWith("```");
            Matcher command = COMMAND.matcher(line);
            if (inBlock && command.matches() && !command.group(1).matches("[a-z ]+: .*")) {
                commands.add(command.group(1));
            }
            IN_TEXT.matcher(line).results().forEach(found -> commands.add(found.group(1)));
        }
        return commands;
    }

    static String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words.toArray(String[]::new);
    }
}
