package io.redrive.cli;

import io.redrive.events.EventStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that works on a store: opens it, closes it, and turns what the store refuses into wrong input. */
abstract class StoreCommand implements Callable<Integer> {

    static final String EXIT_CODES = "%nExit codes:%n";
    static final String DONE = "0:done";
    static final String FAILED = "1:failed: nothing found under that id, or the store cannot be used";
    static final String WRONG = "2:wrong input; nothing was changed";

    final Context context;

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            required = true,
            defaultValue = "${env:REDRIVE_STORE}",
            description = "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment when not"
                    + " given; better for a URL with a password.")
    private String address;

    StoreCommand(Context context) {
        this.context = context;
    }

    @Override
    public final Integer call() throws Exception {
        try (EventStore store = open(address)) {
            return run(store);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    EventStore open(String at) {
        return context.stores().open(at);
    }

    abstract int run(EventStore store) throws Exception;

    /** What {@code --store} said, as it may be printed. */
    String shownStore() {
        return JdbcStores.shown(address);
    }

    void say(Object line) {
        out().println(line);
    }

    void say(TextTable table) {
        List<String> lines = table.lines(context.terminal().columns(), paint());
        lines.forEach(out()::println);
    }

    /** What is not the answer itself: standard output may be a pipe to a program. */
    void note(String line) {
        spec.commandLine().getErr().println(paint().faint(line));
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    Paint paint() {
        return new Paint(spec.commandLine().getColorScheme().ansi());
    }

    ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    static String letters(long count) {
        return count == 1 ? "1 letter" : count + " letters";
    }
}
