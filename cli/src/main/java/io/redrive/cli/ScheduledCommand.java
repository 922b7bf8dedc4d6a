package io.redrive.cli;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
        name = "scheduled",
        description = "List events that are not due yet, and cancel events that no handler has begun.")
final class ScheduledCommand extends CommandGroup {

    static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", ScheduledList::new)
                .with("cancel", ScheduledCancel::new)
                .below(new ScheduledCommand(), context, words);
    }
}
