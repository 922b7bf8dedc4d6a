package io.redrive.cli.demo;

import io.redrive.cli.command.HelpOption;
import io.redrive.core.Time;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "calls",
        description = "See retries at work against a flaky HTTP server on this machine (about five seconds).")
final class DemoCalls implements Callable<Integer> {

    private final Time time;

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    DemoCalls(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CallsScreen screen = new CallsScreen(
                spec.commandLine().getOut(), spec.commandLine().getColorScheme().ansi());
        try (FlakyServer server = new FlakyServer()) {
            new CallsDemo(server, screen, time).play();
        }
        return 0;
    }
}
