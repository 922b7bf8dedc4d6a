package io.redrive.cli.policy;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive policy}. */
@Command(name = "policy", description = "Look at retry policies without running anything.")
public final class PolicyCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("explain", PolicyExplain::new)
                .with("presets", each -> new PolicyPresets())
                .below(new PolicyCommand(), context, words);
    }
}
