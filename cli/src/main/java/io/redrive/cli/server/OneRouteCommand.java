package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import picocli.CommandLine.Parameters;

/** A command on one route. */
abstract class OneRouteCommand extends RouteCommand {

    @Parameters(paramLabel = "ROUTE", description = "The name of the route, as 'routes list' shows it.")
    private String route = "";

    OneRouteCommand(Context context) {
        super(context);
    }

    final String route() {
        return route;
    }
}
