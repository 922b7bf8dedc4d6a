package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.InMemoryEventStore;
import org.junit.jupiter.api.Test;

/** Settings that are refused before a broker is asked. */
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
}
