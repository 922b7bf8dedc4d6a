package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "merge",
        description = "Treat two causes as one: letters of CAUSE, past and future, count for INTO. Cannot be undone.")
final class CausesMerge extends CauseCommand {

    @Parameters(index = "1", paramLabel = "INTO", description = "The fingerprint of the cause that takes the letters.")
    private String into = "";

    @Mixin
    private OperatorOption operator = new OperatorOption();

    CausesMerge(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) {
        known(operations.causes().find(fingerprint()));
        known(into, operations.causes().find(into));
        ProgressLine progress = progressLine();
        long moved =
                operations.causes().merge(fingerprint(), into, letters -> progress.show(letters + " letters moved"));
        progress.end();
        if (json()) {
            say(CauseText.json(known(into, operations.causes().find(into))));
        } else {
            say("cause " + Printable.line(fingerprint()) + " is merged into " + Printable.line(into) + ": " + moved
                    + (moved == 1 ? " letter" : " letters") + " moved");
        }
        return 0;
    }
}
