package io.redrive.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Checks a promise instead of a speed: no event is lost when the process is killed at any moment. */
final class CrashSuite implements Suite {

    private static final Options.Option ROUNDS = Options.Option.number("--rounds", "how often to kill (default 20)");
    private static final Options.Option SEED = Options.Option.number("--seed", "repeats the moments of an earlier run");

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public String about() {
        return "a pipeline on SQLite killed with SIGKILL at random moments under load";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(ROUNDS, SEED);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        int seed = options.number(SEED, (int) (System.nanoTime() % 1_000_000));
        progress.accept("seed " + seed);
        Path folder = Files.createTempDirectory("redrive-crash");
        CrashTally.Verdict verdict =
                new CrashRun(folder, seed).run(options.number(ROUNDS, options.quick() ? 5 : 20), progress);
        progress.accept(verdict.published() + " events published and acknowledged; files in " + folder);
        verdict.falseDead().forEach(letter -> progress.accept("not meant to die: " + letter));
        return List.of(
                judged("lost", verdict.lost(), Target.atMost(0)),
                judged("false-dead", verdict.falseDead().size(), Target.atMost(0)),
                judged("double-terminal", verdict.doubleTerminal(), Target.atMost(0)),
                BenchResult.judged(
                        name(),
                        "duplicates",
                        new Measured("count", verdict.duplicates(), Map.of(), (double) verdict.inFlight()),
                        Target.atMostLimit("what was in flight")));
    }

    private BenchResult judged(String caseName, long count, Target target) {
        return BenchResult.judged(name(), caseName, new Measured("count", count, Map.of(), null), target);
    }
}
