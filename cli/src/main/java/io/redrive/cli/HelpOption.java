package io.redrive.cli;

import picocli.CommandLine.Option;

/** {@code --help} for commands below the first; only that one has a {@code --version}. */
final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
