package io.redrive.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Contestants measured in turns, round after round, so that a busy moment of the machine hits all of them. The median of the
 * rounds counts; {@link Measured#spread} tells how far the rounds of Redrive differ.
 */
final class Contest {

    private static final String OURS = "ours";
    private static final String LIMIT = "limit";

    private final Map<String, Callable<Map<String, Double>>> contestants = new LinkedHashMap<>();
    private final Map<String, Duration> warmUps = new LinkedHashMap<>();

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

    /** Lets each contestant run for at least so long before the first round, in turns, without being measured. */
    Contest warmUp(Duration atLeast) {
        contestants.keySet().forEach(name -> warmUps.put(name, atLeast));
        return this;
    }

    /**
     * Lets Redrive run for at least so long before the first round, and each other contestant for at least {@code others}, unless an
     * earlier contest of the process has warmed it up.
     *
     * @param warm the names of warm contestants, to which this contest adds its own
     */
    Contest warmUp(Duration ours, Duration others, Set<String> warm) {
        contestants.keySet().stream()
                .filter(name -> !name.equals(OURS) && warm.add(name))
                .forEach(name -> warmUps.put(name, others));
        warmUps.put(OURS, ours);
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
        Map<String, Long> left = new LinkedHashMap<>();
        warmUps.forEach((name, atLeast) -> left.put(name, atLeast.toNanos()));
        left.values().removeIf(nanos -> nanos <= 0);
        while (!left.isEmpty()) {
            for (String name : List.copyOf(left.keySet())) {
                long began = System.nanoTime();
                contestants.get(name).call();
                left.merge(name, began - System.nanoTime(), Long::sum);
            }
            left.values().removeIf(nanos -> nanos <= 0);
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
