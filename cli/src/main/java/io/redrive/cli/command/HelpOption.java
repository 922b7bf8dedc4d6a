package io.redrive.cli.command;

import picocli.CommandLine.Option;

/** The option {@code --help}. The root command has it too, together with {@code --version}. */
public final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
