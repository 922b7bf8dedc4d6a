package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.InMemoryEventStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of Kafka's consumer. */
final class FlowSettingsTest {

    @Test
    void a_session_with_a_unit_is_refused_with_the_name_of_the_setting_and_an_example() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaFlow.on(new InMemoryEventStore())
                        .bootstrap("127.0.0.1:1")
                        .group("billing")
                        .topics("orders")
                        .client("session.timeout.ms", "45s")
                        .open())
                .withMessage(
                        "client setting session.timeout.ms must be a number of milliseconds without a unit, got '45s';"
                                + " set 45000 for 45 seconds");
    }

    @ParameterizedTest
    @CsvSource({"auto.offset.reset, earlyest", "max.poll.records, many", "isolation.level, committed"})
    void a_value_that_the_consumer_refuses_is_refused_before_a_broker_is_asked(String key, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaFlow.on(FlowRig.shared())
                        .bootstrap("127.0.0.1:1")
                        .group("billing")
                        .topics("orders")
                        .client("request.timeout.ms", 500)
                        .client("default.api.timeout.ms", 1_000)
                        .client(key, value)
                        .open())
                .withMessageContaining("Kafka's consumer refuses its settings")
                .withMessageContaining(key)
                .withMessageContaining(value);
    }

    @Test
    void a_setting_that_contradicts_the_group_protocol_is_refused() {
        FlowSettings settings = TestSettings.with(
                RecordMapping.standard(),
                Map.of("bootstrap.servers", "127.0.0.1:1", "group.protocol", "consumer", "session.timeout.ms", 6_000));
        assertThatIllegalArgumentException()
                .isThrownBy(settings::requireValidConsumer)
                .withMessageContaining("session.timeout.ms");
    }

    @Test
    void a_consumer_creates_no_topics_unless_asked_to() {
        String key = "allow.auto.create.topics";
        Map<String, Object> client = Map.of("bootstrap.servers", "127.0.0.1:1", key, "true");
        assertThat(TestSettings.with(RecordMapping.standard()).consumer()).containsEntry(key, false);
        assertThat(TestSettings.with(RecordMapping.standard(), client).consumer())
                .containsEntry(key, "true");
    }
}
