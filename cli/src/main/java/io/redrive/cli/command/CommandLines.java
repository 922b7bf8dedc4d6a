package io.redrive.cli.command;

import java.io.PrintWriter;
import picocli.CommandLine;

/** Makes a command line with all commands, for a command that runs another command. */
@FunctionalInterface
public interface CommandLines {

    /** Returns a command line with the command that {@code args} names. */
    CommandLine of(PrintWriter out, PrintWriter err, Context context, String... args);
}
