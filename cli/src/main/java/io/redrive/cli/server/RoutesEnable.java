package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.RouteOperations;
import picocli.CommandLine.Command;

@Command(
        name = "enable",
        description = "Deliver the events of a route again, from where delivery stopped, and forget earlier failures.")
final class RoutesEnable extends OneRouteCommand {

    RoutesEnable(Context context) {
        super(context);
    }

    @Override
    int run(RouteOperations routes) {
        boolean ended = routes.enable(route()).isPresent();
        say(Printable.line(route())
                + (ended ? "  enabled; events that waited are delivered" : "  was enabled already"));
        return 0;
    }
}
