package io.redrive.cli.policy;

import io.redrive.cli.command.HelpOption;
import io.redrive.cli.command.JsonObject;
import io.redrive.core.Presets;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "presets", description = "List the policies to start from.")
final class PolicyPresets implements Runnable {

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object, name to policy.")
    private boolean json;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonObject presets = new JsonObject();
            Presets.all().forEach((name, policy) -> presets.put(name, policy.toString()));
            out.println(presets);
            return;
        }
        Presets.all().forEach((name, policy) -> out.println(String.format(Locale.ROOT, "%-12s%s", name, policy)));
    }
}
