package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.RouteOperations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "disable",
        description = "Deliver no event of a route. The events wait: none is dropped, none becomes a dead letter.")
final class RoutesDisable extends OneRouteCommand {

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for other operators.")
    private String reason = "";

    RoutesDisable(Context context) {
        super(context);
    }

    @Override
    int run(RouteOperations routes) {
        routes.disable(route(), reason);
        say(Printable.line(route()) + "  disabled; its events wait. Deliver again with: redrive routes enable "
                + Printable.shellWord(route()) + onStore());
        return 0;
    }
}
