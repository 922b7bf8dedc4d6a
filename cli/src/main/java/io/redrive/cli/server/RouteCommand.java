package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.remote.RemoteOperations;
import io.redrive.operations.Operations;
import io.redrive.operations.RouteOperations;

/** A command on routes, which only a server has: a store does not know where events are delivered to. */
abstract class RouteCommand extends OperationsCommand {

    RouteCommand(Context context) {
        super(context);
    }

    @Override
    protected final int run(Operations operations) throws Exception {
        if (!(operations instanceof RemoteOperations)) {
            throw wrong(
                    "routes must be given --server URL: the server that delivers webhooks knows its routes, no store does");
        }
        return run(operations.routes());
    }

    /** Does the work of the command and returns its exit code. */
    abstract int run(RouteOperations routes) throws Exception;
}
