package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Event;
import io.redrive.pipeline.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** TLS by the settings of Kafka's clients. */
final class EncryptedIT {

    private final TestBroker broker = TestBroker.get();
    private final Map<String, Object> tls = Map.of(
            "security.protocol", "SSL",
            "ssl.truststore.type", "PEM",
            "ssl.truststore.certificates", broker.certificate());

    @Test
    void records_letters_and_imports_pass_an_encrypted_listener() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            broker.createTopic("dlq." + rig.topic, 1);
            Set<String> handled = ConcurrentHashMap.newKeySet();
            KafkaBus.Builder settings = KafkaBus.builder().bootstrap(broker.encrypted());
            tls.forEach(settings::client);
            try (KafkaBus bus = settings.open();
                    LetterTopic letters = LetterTopic.of(rig.store, bus).start()) {
                rig.start(
                        flow -> {
                            flow.bootstrap(broker.encrypted());
                            tls.forEach(flow::client);
                            return flow;
                        },
                        pipeline -> pipeline.handle("order.paid", event -> {
                            handled.add(event.text());
                            return event.text().equals("bad") ? Outcome.dead("no") : Outcome.done();
                        }));
                for (String text : List.of("good", "bad")) {
                    bus.publish(
                            rig.topic,
                            Event.named("order.paid").source("shop").text(text).build());
                }
                FlowRig.until(() -> handled.size() == 2 && rig.letters().size() == 1);
                FlowRig.until(() -> letters.waiting() == 0);
            }
            LetterReader.Builder reader = LetterReader.builder()
                    .bootstrap(broker.encrypted())
                    .topics(List.of("dlq." + rig.topic))
                    .group("import-" + rig.topic);
            tls.forEach(reader::client);
            try (LetterReader found = reader.open()) {
                assertThat(found.next(10))
                        .singleElement()
                        .satisfies(letter -> assertThat(letter.event().text()).isEqualTo("bad"));
            }
        }
    }

    @Test
    void a_client_that_does_not_trust_the_broker_is_told_why_it_has_no_connection() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            assertThatThrownBy(() -> rig.flow()
                            .bootstrap(broker.encrypted())
                            .client("security.protocol", "SSL")
                            .open())
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("SSL handshake failed");
        }
    }
}
