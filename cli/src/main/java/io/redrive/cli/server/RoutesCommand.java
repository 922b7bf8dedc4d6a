package io.redrive.cli.server;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive routes}. */
@Command(
        name = "routes",
        description =
                "Look after the routes of webhooks of a server: list, test, enable, disable, rotate their secrets.",
        footerHeading = "%nWhen a destination is down:%n",
        footer = {
            "  redrive routes list --server URL",
            "  redrive routes disable billing --reason 'they move house' --server URL",
            "  redrive routes enable billing --server URL"
        })
public final class RoutesCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new RoutesCommand())
                .addSubcommand(new RoutesList(context))
                .addSubcommand(new RoutesTest(context))
                .addSubcommand(new RoutesEnable(context))
                .addSubcommand(new RoutesDisable(context))
                .addSubcommand(new RoutesRotate(context));
    }
}
