package io.redrive.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link RetryBenchmark} for every library and scenario, each time in a fresh JVM. Each round runs every pair once,
 * because a busy moment of the machine should not hit a single library. Further load on the machine only adds time: within a
 * JVM the fastest iteration counts, and over the JVMs, which may compile differently, the median.
 */
record CallTimer(int rounds, int warmUps, TimeValue warmUp, int iterations, TimeValue iteration) {

    static CallTimer quick() {
        return new CallTimer(1, 2, TimeValue.milliseconds(250), 5, TimeValue.milliseconds(60));
    }

    static CallTimer thorough() {
        return new CallTimer(3, 5, TimeValue.milliseconds(400), 20, TimeValue.milliseconds(100));
    }

    /** What one call costs. */
    record Cost(double nanos, double bytes) {}

    Map<RetryScenario, Map<Library, Cost>> measure(Consumer<String> progress) throws RunnerException {
        Map<RetryScenario, Map<Library, Samples>> samples = new EnumMap<>(RetryScenario.class);
        for (int round = 1; round <= rounds; round++) {
            for (RetryScenario scenario : RetryScenario.values()) {
                progress.accept("round " + round + "/" + rounds + ", " + scenario.caseName());
                for (Library library : Library.values()) {
                    if (scenario.has(library)) {
                        samples.computeIfAbsent(scenario, any -> new EnumMap<>(Library.class))
                                .computeIfAbsent(library, any -> new Samples())
                                .add(run(scenario, library));
                    }
                }
            }
        }
        Map<RetryScenario, Map<Library, Cost>> costs = new EnumMap<>(RetryScenario.class);
        samples.forEach((scenario, byLibrary) -> {
            Map<Library, Cost> cost = costs.computeIfAbsent(scenario, any -> new EnumMap<>(Library.class));
            byLibrary.forEach((library, sample) -> cost.put(library, sample.cost()));
        });
        return costs;
    }

    private RunResult run(RetryScenario scenario, Library library) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include("^" + RetryBenchmark.class.getName().replace(".", "\\.") + "\\.")
                        .param("library", library.name())
                        .param("scenario", scenario.name())
                        .forks(1)
                        .jvmArgs("-Xms256m", "-Xmx256m")
                        .warmupIterations(warmUps)
                        .warmupTime(warmUp)
                        .measurementIterations(iterations)
                        .measurementTime(iteration)
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle();
    }

    private static final class Samples {
        private final List<Double> nanos = new ArrayList<>();
        private final List<Double> bytes = new ArrayList<>();

        void add(RunResult run) {
            double fastest = Double.POSITIVE_INFINITY;
            for (BenchmarkResult fork : run.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    fastest = Math.min(fastest, iteration.getPrimaryResult().getScore());
                    bytes.add(allocation(iteration));
                }
            }
            nanos.add(fastest);
        }

        /** The prefix of the key differs between releases of JMH. */
        private static double allocation(IterationResult iteration) {
            for (Result<?> profiled : iteration.getSecondaryResults().values()) {
                if (profiled.getLabel().endsWith("gc.alloc.rate.norm")) {
                    return profiled.getScore();
                }
            }
            throw new IllegalStateException("the profiler reported no allocation rate");
        }

        /** Rounded to a tenth of a byte, because the JVM itself allocates a little from time to time. */
        Cost cost() {
            return new Cost(rounded(median(nanos), 100), rounded(median(bytes), 10));
        }

        private static double rounded(double value, int parts) {
            return Math.rint(value * parts) / parts;
        }

        private static double median(List<Double> values) {
            double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
            Arrays.sort(sorted);
            int middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }
    }
}
