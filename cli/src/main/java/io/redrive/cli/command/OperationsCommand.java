package io.redrive.cli.command;

import io.redrive.events.EventStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;

/**
 * A command that looks at a store through {@link Operations}. Whoever can open the store with its file or its password may do
 * everything, so the role is admin.
 */
public abstract class OperationsCommand extends StoreCommand {

    protected OperationsCommand(Context context) {
        super(context);
    }

    @Override
    protected final int run(EventStore store) throws Exception {
        return run(Operations.of(store, operator(), context().time()));
    }

    /** Returns the operator of the command: the account of this process. */
    protected Operator operator() {
        return OperatorOption.account();
    }

    /** Does the work of the command and returns its exit code. */
    protected abstract int run(Operations operations) throws Exception;
}
