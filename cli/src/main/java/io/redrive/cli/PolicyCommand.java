package io.redrive.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "policy",
        description = "Look at retry policies without running anything.",
        synopsisSubcommandLabel = "COMMAND")
final class PolicyCommand implements Runnable {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    static CommandLine in(Context context) {
        return new CommandLine(new PolicyCommand())
                .addSubcommand(new PolicyExplain(context))
                .addSubcommand(new PolicyPresets());
    }

    @Override
    public void run() {
        Redrive.usageWithoutCommand(spec);
    }
}
