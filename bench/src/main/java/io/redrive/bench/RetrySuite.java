package io.redrive.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** The in-process engine against Resilience4j, Failsafe, Spring and a hand-written loop. */
final class RetrySuite implements Suite {

    private static final String NAME = "retry";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "calls under retry and breaker, and 100,000 waiting at once";
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        CallTimer timer = options.quick() ? CallTimer.quick() : CallTimer.thorough();
        Map<RetryScenario, Map<Library, CallTimer.Cost>> costs = timer.measure(progress);
        List<BenchResult> results = new ArrayList<>();
        costs.forEach((scenario, cost) -> {
            Measured time = measured("ns/op", cost, CallTimer.Cost::nanos);
            results.add(BenchResult.judged(NAME, scenario.caseName(), time, scenario.time()));
            Measured garbage = measured("B/op", cost, CallTimer.Cost::bytes);
            results.add(
                    scenario.garbage() == null
                            ? BenchResult.plain(NAME, scenario.caseName(), garbage)
                            : BenchResult.judged(NAME, scenario.caseName(), garbage, scenario.garbage()));
        });
        results.addAll(waiting(progress));
        return results;
    }

    private static List<BenchResult> waiting(Consumer<String> progress) throws Exception {
        Map<Library, AsyncWaiting.Cost> costs = new EnumMap<>(Library.class);
        for (Library library : AsyncWaiting.LIBRARIES) {
            costs.put(library, AsyncWaiting.inChild(library));
            progress.accept("async-waiting " + library.label() + " " + costs.get(library));
        }
        return List.of(
                BenchResult.judged(
                        NAME,
                        "async-waiting",
                        measured("threads", costs, AsyncWaiting.Cost::threads),
                        Target.atMost(4)),
                BenchResult.judged(
                        NAME,
                        "async-waiting",
                        measured("bytes/call", costs, AsyncWaiting.Cost::bytesPerCall),
                        Target.below(1024)));
    }

    private static <C> Measured measured(String metric, Map<Library, C> costs, ToDoubleFunction<C> figure) {
        Map<String, Double> peers = new LinkedHashMap<>();
        costs.forEach((library, cost) -> {
            if (library != Library.OURS && library != Library.LOOP) {
                peers.put(library.label(), figure.applyAsDouble(cost));
            }
        });
        C limit = costs.get(Library.LOOP);
        return new Measured(
                metric,
                figure.applyAsDouble(costs.get(Library.OURS)),
                peers,
                limit == null ? null : figure.applyAsDouble(limit));
    }
}
