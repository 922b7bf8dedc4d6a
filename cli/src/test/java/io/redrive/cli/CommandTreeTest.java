package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.core.Time;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Which commands a command line has: a start must not pay for commands that its words do not name. */
final class CommandTreeTest {

    private static CommandLine line(String... args) {
        Context context =
                new Context(Time.system(), new JdbcStores(), new NoTerminal(), InputStream.nullInputStream(), Map.of());
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Redrive.commandLine(nowhere, nowhere, context, args);
    }

    @Test
    void a_named_command_is_alone() {
        CommandLine line = line("dlq", "list", "--store", "f.db");
        assertThat(line.getSubcommands()).containsOnlyKeys("dlq");
        assertThat(line.getSubcommands().get("dlq").getSubcommands()).containsOnlyKeys("list");
    }

    @Test
    void a_group_without_a_known_command_has_all_of_its_commands() {
        assertThat(line("dlq", "lst").getSubcommands().get("dlq").getSubcommands())
                .containsKeys("list", "groups", "show", "redrive");
        assertThat(line("dlq", "--help").getSubcommands().get("dlq").getSubcommands())
                .containsKeys("list", "groups", "show", "redrive");
    }

    @Test
    void help_completion_and_unknown_words_see_all_commands() {
        for (String word : new String[] {"--help", "help", "completion", "stauts"}) {
            assertThat(line(word).getSubcommands())
                    .as(word)
                    .containsKeys("demo", "dlq", "status", "serve", "bench", "completion", "help");
            assertThat(line(word).getSubcommands().get("runs").getSubcommands()).containsKeys("list", "report");
        }
    }

    @Test
    void each_command_is_found_by_the_name_of_its_help() {
        named(line());
    }

    private static void named(CommandLine line) {
        line.getSubcommands().forEach((name, inner) -> {
            assertThat(inner.getCommandName()).isEqualTo(name);
            Command annotation = inner.getCommandSpec().userObject().getClass().getAnnotation(Command.class);
            assertThat(annotation.name()).isIn(name, "<main class>");
            named(inner);
        });
    }

    @Test
    void the_commands_whose_classes_are_archived_succeed(@TempDir Path folder) throws Exception {
        assertThat(ClassTrial.failures(folder.resolve("trial.db").toString())).isEmpty();
    }
}
