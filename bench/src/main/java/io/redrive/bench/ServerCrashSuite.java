package io.redrive.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Checks a promise instead of a speed: a killed server loses no acknowledged event, and repeats only what was in flight. */
final class ServerCrashSuite implements Suite {

    private static final Options.Option ROUNDS = Options.Option.number("--rounds", "how often to kill (default 10)");
    private static final Options.Option SEED = Options.Option.number("--seed", "repeats the moments of an earlier run");

    @Override
    public String name() {
        return "server-crash";
    }

    @Override
    public String about() {
        return "a server killed with SIGKILL while clients publish and a receiver takes webhooks";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(ROUNDS, SEED);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        int seed = options.number(SEED, (int) (System.nanoTime() % 1_000_000));
        progress.accept("seed " + seed);
        Path folder = Files.createTempDirectory("redrive-server-crash");
        try (ServerCrashRun run = new ServerCrashRun(folder, seed)) {
            ServerCrashRun.Verdict verdict = run.run(options.number(ROUNDS, options.quick() ? 3 : 10), progress);
            progress.accept(verdict.acknowledged() + " events acknowledged; files in " + folder);
            return List.of(
                    judged("lost", verdict.lost()),
                    judged("dead", verdict.dead()),
                    BenchResult.judged(
                            name(),
                            "repeated",
                            new Measured("count", verdict.repeated(), Map.of(), (double) verdict.inFlight()),
                            Target.atMostLimit("what was in flight")));
        }
    }

    private BenchResult judged(String caseName, long count) {
        return BenchResult.judged(name(), caseName, new Measured("count", count, Map.of(), null), Target.atMost(0));
    }
}
