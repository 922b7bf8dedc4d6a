package io.redrive.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The cases of a suite by name, in their order, and the results measured so far. */
final class Cases {

    private final String suite;
    private final Map<String, Case> all = new LinkedHashMap<>();
    private final List<BenchResult> results = new ArrayList<>();

    Cases(String suite) {
        this.suite = suite;
    }

    /** Measures, and adds results under the name of the case. */
    interface Case {
        void measure(String name) throws Exception;
    }

    Cases with(String name, Case body) {
        all.put(name, body);
        return this;
    }

    List<String> names() {
        return List.copyOf(all.keySet());
    }

    /** Measures the wanted cases and returns their results. */
    List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        results.clear();
        for (Map.Entry<String, Case> each : all.entrySet()) {
            if (options.wants(each.getKey())) {
                progress.accept(each.getKey());
                each.getValue().measure(each.getKey());
            }
        }
        return List.copyOf(results);
    }

    void plain(String caseName, Measured measured) {
        results.add(BenchResult.plain(suite, caseName, measured));
    }

    void judged(String caseName, Measured measured, Target target) {
        results.add(BenchResult.judged(suite, caseName, measured, target));
    }
}
