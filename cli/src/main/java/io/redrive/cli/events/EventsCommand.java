package io.redrive.cli.events;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive events}. */
@Command(name = "events", description = "Find out what became of an event: waiting, claimed, dead or finished.")
public final class EventsCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("find", EventsFind::new)
                .with("show", EventsShow::new)
                .with("waiting", EventsWaiting::new)
                .with("tail", EventsTail::new)
                .below(new EventsCommand(), context, words);
    }
}
