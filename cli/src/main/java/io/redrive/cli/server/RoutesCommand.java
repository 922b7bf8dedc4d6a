package io.redrive.cli.server;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
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

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", RoutesList::new)
                .with("test", RoutesTest::new)
                .with("enable", RoutesEnable::new)
                .with("disable", RoutesDisable::new)
                .with("rotate", RoutesRotate::new)
                .below(new RoutesCommand(), context, words);
    }
}
