package io.redrive.cli;

import io.redrive.cli.command.HelpOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** An entry for the help text. The launcher of a checkout runs the server, which is not in this jar. */
@Command(
        name = "serve",
        description = "Run Redrive as a server, on http://127.0.0.1:8080; from a checkout: ./redrive serve")
final class ServeCommand implements Runnable {

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "serve must be run from a checkout of the sources, or with the server's jar: ./redrive serve");
    }
}
