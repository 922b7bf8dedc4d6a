package io.redrive.cli.proposals;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.operations.Operations;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.ProposalRefusedException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command on one proposal. */
abstract class OneProposalCommand extends OperationsCommand {

    @Parameters(paramLabel = "N", description = "The number of the proposal, as 'proposals list' shows it.")
    private long number;

    @Option(names = "--json", description = "The proposal as one JSON object.")
    private boolean json;

    OneProposalCommand(Context context) {
        super(context);
    }

    final boolean json() {
        return json;
    }

    @Override
    protected final int run(Operations operations) {
        try {
            return run(operations.proposals(), number);
        } catch (ProposalRefusedException e) {
            throw new CommandFailed(e.getMessage() + "; see: redrive proposals list --all" + onStore());
        }
    }

    /** Does the work of the command and returns its exit code. */
    abstract int run(ProposalOperations proposals, long number);
}
