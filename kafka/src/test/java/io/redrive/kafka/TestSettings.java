package io.redrive.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of flows that ask no broker. */
final class TestSettings {

    private TestSettings() {}

    /** Returns the settings of group billing on the topic orders. */
    static FlowSettings with(RecordMapping mapping, Map<String, Object> client) {
        return new FlowSettings(
                "billing",
                List.of("orders"),
                Optional.empty(),
                Optional.empty(),
                mapping,
                false,
                Duration.ofSeconds(2),
                2_000,
                1 << 20,
                500,
                1_000,
                client,
                Duration.ofSeconds(45));
    }

    static FlowSettings with(RecordMapping mapping) {
        return with(mapping, Map.of("bootstrap.servers", "none:9092"));
    }
}
