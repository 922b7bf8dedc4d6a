package io.redrive.cli.events;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive events}. */
@Command(name = "events", description = "Find out what became of an event: waiting, claimed, dead or finished.")
public final class EventsCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new EventsCommand())
                .addSubcommand(new EventsFind(context))
                .addSubcommand(new EventsShow(context))
                .addSubcommand(new EventsWaiting(context))
                .addSubcommand(new EventsTail(context));
    }
}
