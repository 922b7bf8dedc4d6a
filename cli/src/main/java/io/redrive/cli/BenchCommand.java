package io.redrive.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Only here for the help text: the launcher of a checkout runs the benchmarks, which are not in this jar. */
@Command(
        name = "bench",
        description = "Measure against other libraries; from a checkout: ./redrive bench retry --quick")
final class BenchCommand implements Runnable {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Unmatched
    private List<String> arguments;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "benchmarks are run from a checkout of the sources, by ./redrive bench");
    }
}
