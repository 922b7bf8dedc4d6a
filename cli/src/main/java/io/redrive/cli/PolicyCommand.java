package io.redrive.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "policy",
        description = "Look at retry policies without running anything.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {PolicyExplain.class, PolicyPresets.class})
final class PolicyCommand implements Runnable {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        Redrive.usageWithoutCommand(spec);
    }
}
