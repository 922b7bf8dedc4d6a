package io.redrive.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that talks to whoever called it. */
abstract class ConsoleCommand {

    final Context context;

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    ConsoleCommand(Context context) {
        this.context = context;
    }

    void say(Object line) {
        out().println(Printable.screen(String.valueOf(line)));
    }

    void say(TextTable table) {
        List<String> lines = table.lines(context.terminal().columns(), paint());
        lines.forEach(this::say);
    }

    /** What is not the answer itself: standard output may be a pipe to a program. */
    void note(String line) {
        spec.commandLine().getErr().println(Printable.screen(paint().faint(line)));
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    CommandLine.Help.ColorScheme colors() {
        return spec.commandLine().getColorScheme();
    }

    Paint paint() {
        return new Paint(colors().ansi());
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    CommandSpec spec() {
        return spec;
    }

    ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** What was refused is the user's mistake; the message says which. */
    ParameterException wrong(IllegalArgumentException refusal) {
        return new ParameterException(spec.commandLine(), refusal.getMessage(), refusal);
    }
}
