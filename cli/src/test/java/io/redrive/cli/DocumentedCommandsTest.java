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
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the pages for operators exist, with these options. A hurried operator copies them. */
class DocumentedCommandsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/ops/runbook.md",
                "docs/guide/activity.md",
                "docs/guide/nodes.md",
                "docs/guide/kafka.md",
                "docs/guide/incident.md",
                "docs/guide/causes.md",
                "docs/guide/what-differs.md",
                "docs/guide/assistants.md",
                "docs/guide/command-line-server.md",
                "docs/guide/repair.md",
                "docs/guide/dead-letters.md"
            })
    void every_command_of_a_page_is_understood(String page) throws IOException {
        List<String> commands = Commands.of(page);
        assertThat(commands).isNotEmpty();
        for (String command : commands) {
            String[] args = Commands.words(command);
            Context context = new Context(
                    new ManualTime(), new JdbcStores(), new SystemTerminal(), InputStream.nullInputStream());
            PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
            assertThatCode(() ->
                            Redrive.commandLine(nowhere, nowhere, context, args).parseArgs(args))
                    .as(page + ": " + command)
                    .doesNotThrowAnyException();
        }
    }
}
