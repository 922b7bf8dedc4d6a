package io.redrive.cli.command;

import java.io.PrintWriter;
import picocli.CommandLine;

/** Makes the whole command line, for a command that runs another one. */
@FunctionalInterface
public interface CommandLines {

    /** Returns a command line that can run the command that {@code args} names. */
    CommandLine of(PrintWriter out, PrintWriter err, Context context, String... args);
}
