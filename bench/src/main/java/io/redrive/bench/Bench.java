package io.redrive.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code redrive bench SUITE [options]}: runs a suite, prints the results as a table and writes the results to
 * {@code bench/results/SUITE.jsonl}; {@code redrive bench report} turns all results into a page. Exit code 0 when the suite ran, even with missed targets; 2 for a wrong command.
 */
public final class Bench {

    /** All suites. A new suite is a class and an entry in this list. */
    static final List<Suite> SUITES = List.of(
            new RetrySuite(),
            new EventsSuite(),
            new PostgresSuite(),
            new CrashSuite(),
            new KafkaSuite(),
            new ActorsSuite(),
            new ItemsSuite(),
            new LettersSuite(),
            new OperationsSuite(),
            new ServerSuite(),
            new ServerCrashSuite(),
            new KafkaCrashSuite(),
            new ConsoleSuite());

    private static final int OK = 0;
    private static final int WRONG_COMMAND = 2;

    private final List<Suite> suites;
    private final Path results;
    private final PrintStream out;
    private final PrintStream err;

    Bench(List<Suite> suites, Path results, PrintStream out, PrintStream err) {
        this.suites = suites;
        this.results = results;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] args) throws Exception {
        Path results = ResultFile.folder(Path.of(
                Bench.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
        System.exit(new Bench(SUITES, results, System.out, System.err).run(List.of(args)));
    }

    int run(List<String> args) throws Exception {
        if (args.isEmpty() || args.get(0).equals("--help")) {
            out.print(listing());
            return OK;
        }
        if (args.equals(List.of("report"))) {
            return report();
        }
        Suite suite = suites.stream()
                .filter(known -> known.name().equals(args.get(0)))
                .findFirst()
                .orElse(null);
        if (suite == null) {
            return wrong("no suite '" + args.get(0) + "'; there is " + names());
        }
        Options options;
        try {
            options = Options.parse(suite.options(), args.subList(1, args.size()));
        } catch (IllegalArgumentException e) {
            return wrong(suite.name() + ": " + e.getMessage());
        }
        RunFacts facts = RunFacts.ofThisRun(options.quick());
        List<BenchResult> measured = suite.run(options, line -> err.println(suite.name() + ": " + line));
        out.println();
        out.print(ResultTable.of(measured));
        out.println();
        Path file = options.choosesCases()
                ? ResultFile.writeCases(results, suite.name(), measured, facts)
                : ResultFile.write(results, suite.name(), measured, facts);
        out.println("written to " + file);
        return OK;
    }

    private int report() throws IOException {
        Path checkout = results.toAbsolutePath().getParent().getParent();
        try {
            out.println("written to " + new BenchReport(suites, results, checkout.resolve("docs")).write());
            return OK;
        } catch (IllegalStateException e) {
            return wrong(e.getMessage());
        }
    }

    private int wrong(String message) {
        err.println("redrive bench: " + message);
        return WRONG_COMMAND;
    }

    private String names() {
        return suites.stream().map(Suite::name).collect(Collectors.joining(", "));
    }

    private String listing() {
        StringBuilder text = new StringBuilder("usage: redrive bench SUITE [options]\n\nsuites:\n");
        for (Suite suite : suites) {
            text.append("  %-10s %s%n".formatted(suite.name(), suite.about()));
            for (Options.Option option : suite.options()) {
                text.append("  %-10s   %s: %s%n".formatted("", option.usage(), option.about()));
            }
        }
        text.append("\nreport: writes docs/benchmarks.md from the results of all suites\n");
        return text.append("\noptions of every suite:\n")
                .append("  %s: %s%n".formatted(Options.QUICK.usage(), Options.QUICK.about()))
                .toString();
    }
}
