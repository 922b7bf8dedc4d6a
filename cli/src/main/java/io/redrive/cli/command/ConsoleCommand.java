package io.redrive.cli.command;

import io.redrive.cli.terminal.Paint;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with its answer on standard output and notes on standard error. */
@Command(
        sortOptions = false,
        exitCodeListHeading = ExitCodes.HEADING,
        exitCodeList = {ExitCodes.DONE, ExitCodes.FAILED, ExitCodes.WRONG})
public abstract class ConsoleCommand implements Callable<Integer> {

    private final Context context;

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    protected ConsoleCommand(Context context) {
        this.context = context;
    }

    /** Returns clock, stores, terminal, standard input and environment. */
    public final Context context() {
        return context;
    }

    /** Prints a line of the answer. */
    public final void say(Object line) {
        out().println(Printable.screen(String.valueOf(line)));
    }

    /** Prints a table of the answer, no wider than the terminal. */
    public final void say(TextTable table) {
        table.lines(context.terminal().columns(), paint()).forEach(this::say);
    }

    /** Prints a line beside the answer, to standard error: standard output may be a pipe to a program. */
    public final void note(String line) {
        err().println(Printable.screen(paint().faint(line)));
    }

    /** Returns a line that shows the progress of this command. */
    protected final ProgressLine progressLine() {
        return new ProgressLine(context.terminal(), context.time(), this::note, err());
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    public final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    protected final ColorScheme colors() {
        return spec.commandLine().getColorScheme();
    }

    public final Paint paint() {
        return new Paint(colors().ansi());
    }

    protected final CommandSpec spec() {
        return spec;
    }

    /** Returns the exception that ends this command as wrong input. */
    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Returns the exception that ends this command as wrong input, with the message of the refusal. */
    protected final ParameterException wrong(IllegalArgumentException refusal) {
        return new ParameterException(spec.commandLine(), refusal.getMessage(), refusal);
    }

    /**
     * Asks the person at the terminal whether to go on.
     *
     * @param change what would be done, as it follows the words "this would"
     * @throws ParameterException when nobody can answer; a script has to pass {@code --yes}
     */
    protected final boolean isConfirmed(String change) {
        if (!context.terminal().isInteractive()) {
            throw wrong("this would " + change + "; say --yes");
        }
        String question = Character.toUpperCase(change.charAt(0)) + change.substring(1);
        return context.terminal()
                .ask(question + "? [y/N] ")
                .toLowerCase(Locale.ROOT)
                .matches("y|yes");
    }
}
