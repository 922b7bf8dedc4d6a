package io.redrive.cli.operations;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.command.OperatorOption;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveRefusedException;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.RedriveOperations;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes one redrive operation. */
abstract class OneOperationCommand extends OperationsCommand {

    @Parameters(paramLabel = "ID", description = "The id of the operation, as 'operations list' shows it.")
    private String id = "";

    @Option(names = "--json", description = "The operation as one JSON object.")
    private boolean json;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    OneOperationCommand(Context context) {
        super(context);
    }

    @Override
    protected final Operator operator() {
        return operator.operator();
    }

    @Override
    protected final int run(Operations operations) throws InterruptedException {
        try {
            RedriveOperation changed = change(operations.redrives(), id);
            return report(operations, changed);
        } catch (RedriveRefusedException e) {
            throw new CommandFailed(e.getMessage() + "; see: redrive operations list" + onStore());
        }
    }

    /** Changes the operation and returns it. */
    abstract RedriveOperation change(RedriveOperations redrives, String operation);

    /** Tells the operation after its change and returns the exit code. */
    int report(Operations operations, RedriveOperation changed) throws InterruptedException {
        say(json ? OperationText.json(changed) : told(changed));
        return 0;
    }

    /** Returns the change in words. */
    String told(RedriveOperation changed) {
        return "operation " + changed.id() + " is " + OperationText.state(changed) + ", "
                + OperationText.progress(changed);
    }

    final boolean json() {
        return json;
    }
}
