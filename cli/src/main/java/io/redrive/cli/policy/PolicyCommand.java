package io.redrive.cli.policy;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive policy}. */
@Command(name = "policy", description = "Look at retry policies without running anything.")
public final class PolicyCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new PolicyCommand())
                .addSubcommand(new PolicyExplain(context))
                .addSubcommand(new PolicyPresets());
    }
}
