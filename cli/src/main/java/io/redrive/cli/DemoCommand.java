package io.redrive.cli;

import io.redrive.core.Time;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = "See retries at work against a flaky HTTP server on this machine (about five seconds).")
final class DemoCommand implements Callable<Integer> {

    private final Time time;

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    DemoCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DemoScreen screen = new DemoScreen(
                spec.commandLine().getOut(), spec.commandLine().getColorScheme().ansi());
        try (FlakyServer server = new FlakyServer()) {
            new Demo(server, screen, time).play();
        }
        return 0;
    }
}
