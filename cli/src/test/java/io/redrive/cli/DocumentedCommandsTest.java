package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.SystemTerminal;
import io.redrive.core.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the pages for operators exist, with these options. A hurried operator copies them. */
class DocumentedCommandsTest {

    private static final Pattern COMMAND = Pattern.compile("^\\s*(?:\\$ )?(?:\\./)?redrive (.*)$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/ops/runbook.md",
                "docs/guide/incident.md",
                "docs/guide/causes.md",
                "docs/guide/what-differs.md",
                "docs/guide/assistants.md",
                "docs/guide/command-line-server.md",
                "docs/guide/repair.md",
                "docs/guide/dead-letters.md"
            })
    void every_command_of_a_page_is_understood(String page) throws IOException {
        List<String> commands = commands(page);
        assertThat(commands).hasSizeGreaterThan(2);
        for (String command : commands) {
            String[] args = words(command);
            Context context = new Context(
                    new ManualTime(), new JdbcStores(), new SystemTerminal(), InputStream.nullInputStream());
            PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
            assertThatCode(() ->
                            Redrive.commandLine(nowhere, nowhere, context, args).parseArgs(args))
                    .as(page + ": " + command)
                    .doesNotThrowAnyException();
        }
    }

    /** Commands inside of code blocks. */
    private static List<String> commands(String page) throws IOException {
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
        }
        return commands;
    }

    private static String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words.toArray(String[]::new);
    }
}
