package io.redrive.cli;

import io.redrive.events.EventStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = "Remove an event that nobody has begun. Its id may be published again.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class ScheduledCancel extends StoreCommand {

    @Parameters(paramLabel = "ID", description = "The id of the event.")
    private String id;

    @Option(
            names = "--correlation-id",
            paramLabel = "C",
            description = "The correlation id of the event, if it has one.")
    private String correlationId;

    ScheduledCancel(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        if (!store.cancel(id, correlationId, context.time().now())) {
            throw new CommandFailed(
                    "event " + Printable.line(id) + " cannot be cancelled: it was begun before, or there is"
                            + " no event with this id and correlation id");
        }
        say(Printable.line(id) + "  cancelled");
        return 0;
    }
}
