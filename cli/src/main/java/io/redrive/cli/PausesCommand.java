package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.Operations;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "pauses", description = "List paused event names: by hand first, then by the pipeline.")
final class PausesCommand extends OperationsCommand {

    @Option(names = "--json", description = "One JSON object for each pause.")
    private boolean json;

    PausesCommand(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        List<NamePause> pauses = operations.pauses().list();
        if (json) {
            pauses.forEach(pause -> say(PauseText.json(pause)));
        } else if (pauses.isEmpty()) {
            say("no name is paused");
        } else {
            pauses.forEach(pause ->
                    say(Printable.line(pause.pattern().text()) + "  " + paint().faint(PauseText.line(pause, now))));
        }
        return 0;
    }
}
