package io.redrive.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Contestants measured in turns, round after round, so that a busy moment of the machine hits all of them. The median of the
 * rounds counts; {@link Measured#spread} tells how far the rounds of Redrive differ.
 */
final class Contest {

    private static final String OURS = "ours";
    private static final String LIMIT = "limit";

    /** Compiled code is several times as fast. Compilers that use more of a core than this still have hot code to compile. */
    static final double COMPILERS_AT_REST = 0.2;

    private final Map<String, Callable<Map<String, Double>>> contestants = new LinkedHashMap<>();
    private Duration warmUp = Duration.ZERO;

    /** Adds Redrive, which is measured by one metric. */
    static Contest of(String metric, Callable<Double> measure) {
        return new Contest().with(OURS, one(metric, measure));
    }

    /** Adds Redrive, whose measurement returns figures by metric. */
    static Contest of(Callable<Map<String, Double>> measure) {
        return new Contest().with(OURS, measure);
    }

    /** Adds bare code without any library. */
    Contest limit(String metric, Callable<Double> measure) {
        return with(LIMIT, one(metric, measure));
    }

    /** Adds a library of the field. */
    Contest peer(String name, String metric, Callable<Double> measure) {
        return with(name, one(metric, measure));
    }

    Contest peer(String name, Callable<Map<String, Double>> measure) {
        return with(name, measure);
    }

    private Contest with(String name, Callable<Map<String, Double>> measure) {
        contestants.put(name, measure);
        return this;
    }

    /**
     * Lets each contestant run before the first round, in turns and without being measured, until the compilers of the JVM work for less
     * than {@link #COMPILERS_AT_REST} of the time of a run, or the contestant has run for {@code atMost}.
     */
    Contest warmUp(Duration atMost) {
        warmUp = atMost;
        return this;
    }

    private static Callable<Map<String, Double>> one(String metric, Callable<Double> measure) {
        return () -> Map.of(metric, measure.call());
    }

    /** Returns the figures of a contest with one metric. */
    Measured single(int rounds) throws Exception {
        return run(rounds).get(0);
    }

    /** Returns the figures of each metric of Redrive, in the order of the measurement. */
    List<Measured> run(int rounds) throws Exception {
        warm();
        Map<String, Map<String, List<Double>>> byMetric = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Callable<Map<String, Double>>> contestant : contestants.entrySet()) {
                contestant
                        .getValue()
                        .call()
                        .forEach((metric, value) -> byMetric.computeIfAbsent(metric, name -> new LinkedHashMap<>())
                                .computeIfAbsent(contestant.getKey(), name -> new ArrayList<>())
                                .add(value));
            }
        }
        List<Measured> all = new ArrayList<>();
        byMetric.forEach((metric, samples) -> all.add(measured(metric, samples)));
        return all;
    }

    private void warm() throws Exception {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        Map<String, Long> left = new LinkedHashMap<>();
        contestants.keySet().forEach(name -> left.put(name, warmUp.toNanos()));
        left.values().removeIf(nanos -> nanos <= 0);
        while (!left.isEmpty()) {
            for (String name : List.copyOf(left.keySet())) {
                long began = System.nanoTime();
                long compiled = compilers.getTotalCompilationTime();
                contestants.get(name).call();
                long took = System.nanoTime() - began;
                double busy = (compilers.getTotalCompilationTime() - compiled) * 1e6 / took;
                left.computeIfPresent(
                        name, (same, nanos) -> busy < COMPILERS_AT_REST || took >= nanos ? null : nanos - took);
            }
        }
    }

    private static Measured measured(String metric, Map<String, List<Double>> samples) {
        Map<String, Double> medians = new LinkedHashMap<>();
        samples.forEach((name, values) -> medians.put(name, median(values)));
        Double ours = medians.remove(OURS);
        Double limit = medians.remove(LIMIT);
        return new Measured(metric, ours, medians, limit, spread(samples.get(OURS)));
    }

    static double median(List<Double> values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the distance of the greatest value from the least, as a share of the median; zero for a median of zero. */
    static double spread(List<Double> values) {
        double[] sorted = sorted(values);
        double median = median(values);
        return median == 0 ? 0 : (sorted[sorted.length - 1] - sorted[0]) / median;
    }

    private static double[] sorted(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
