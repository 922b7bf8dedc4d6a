package io.redrive.cli;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.Operations;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "cancel", description = "Remove an event that no handler has begun. Its id may be published again.")
final class ScheduledCancel extends OperationsCommand {

    @Parameters(paramLabel = "ID", description = "The id of the event.")
    private String id = "";

    @Option(
            names = "--correlation-id",
            paramLabel = "C",
            description = "The correlation id of the event, if it has one.")
    private @Nullable String correlationId;

    ScheduledCancel(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        if (!operations.events().cancel(id, correlationId)) {
            throw new CommandFailed("event " + Printable.line(id)
                    + " cannot be cancelled: a handler has begun it, or no event has" + " this id and correlation id");
        }
        say(Printable.line(id) + "  cancelled");
        return 0;
    }
}
