package io.redrive.examples.guide;

import io.redrive.examples.figures.Tables;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The outputs of the code quoted in the guide, by name. */
final class GuideOutputs {

    private GuideOutputs() {}

    static Map<String, Supplier<String>> all() {
        Map<String, Supplier<String>> outputs = new TreeMap<>(Tables.all());
        outputs.put("presets", BackoffExamplesTest::presets);
        outputs.put("log-lines", LogLines::ofARecoveryAndAFailure);
        outputs.put(
                "describe",
                () -> BudgetAndBreakerExamplesTest.allTogether().describe().replace(" > ", "\n > "));
        outputs.put("config-errors", ConfigurationExamplesTest::errors);
        outputs.put("explain", ConfigurationExamplesTest::explained);
        outputs.put("event-budgets", EventsExamplesTest::budgets);
        outputs.put("item-report", ItemRunExamplesTest::report);
        outputs.put("profiles", BatchingExamplesTest::profiles);
        return outputs;
    }
}
