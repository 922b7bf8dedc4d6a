package io.redrive.cli.causes;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.CauseView;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command on one cause. */
abstract class CauseCommand extends OperationsCommand {

    @Parameters(
            index = "0",
            paramLabel = "CAUSE",
            description = "The fingerprint, as 'causes list' and 'dlq groups' show it.")
    private String fingerprint = "";

    @Option(names = "--json", description = "One JSON object on one line.")
    private boolean json;

    CauseCommand(Context context) {
        super(context);
    }

    final String fingerprint() {
        return fingerprint;
    }

    final boolean json() {
        return json;
    }

    /**
     * Returns the cause.
     *
     * @throws CommandFailed when the store does not know the cause
     */
    final CauseView known(Optional<CauseView> cause) {
        return known(fingerprint, cause);
    }

    /** Returns the cause with the fingerprint {@code asked}. */
    final CauseView known(String asked, Optional<CauseView> cause) {
        return cause.orElseThrow(() -> new CommandFailed(
                "no cause has the fingerprint '" + Printable.line(asked) + "'; see: redrive causes list" + onStore()));
    }

    /** Prints the cause after a change. */
    final int changed(Optional<CauseView> cause) {
        CauseView view = known(cause);
        say(
                json
                        ? CauseText.json(view).toString()
                        : "cause " + Printable.line(fingerprint) + " is "
                                + CauseText.status(view, context().time().now()));
        return 0;
    }
}
