package io.redrive.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.StoreStats;
import io.redrive.spring.EventBus;
import io.redrive.spring.Publication;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A test with {@code @RedriveTest}. All methods publish the same event: a leftover of an earlier method would be a
 * duplicate.
 */
@RedriveTest(properties = "redrive.events.policies.[order.*].max-attempts=4")
class RedriveTestTest {

    @TestConfiguration
    static class OptionalSetting {
        @Bean
        ScriptedWarehouse warehouse() {
            return new ScriptedWarehouse();
        }
    }

    static final class ScriptedWarehouse implements Shop.Warehouse {
        final List<String> sent = new ArrayList<>();
        int failures;
        int calls;

        @Override
        public void send(String order) throws IOException {
            calls++;
            if (failures-- > 0) {
                throw new IOException("closed");
            }
            sent.add(order);
        }
    }

    @Autowired
    private ApplicationContext context;

    @Autowired
    private EventBus bus;

    @Autowired
    private TestPipeline pipeline;

    @Autowired
    private ManualTime time;

    @Autowired
    private ScriptedWarehouse warehouse;

    @BeforeEach
    void empty() {
        warehouse.sent.clear();
        warehouse.failures = 0;
        warehouse.calls = 0;
    }

    private Publication publish() {
        return bus.publish(bus.event("order.paid", new Shop.OrderPaid("17"))
                .id("e-17")
                .correlationId("17")
                .build());
    }

    @Test
    void no_event_is_handled_before_drain() {
        assertThat(publish()).isEqualTo(Publication.ACCEPTED);
        assertThat(warehouse.calls).isZero();
        assertThat(pipeline.stats().ready()).isEqualTo(1);
        pipeline.drain();
        assertThat(warehouse.sent).containsExactly("17");
    }

    @Test
    void a_retry_is_made_when_its_time_has_come() {
        warehouse.failures = 1;
        assertThat(publish()).as("the same event as in other tests").isEqualTo(Publication.ACCEPTED);
        pipeline.drain();
        pipeline.drain();
        assertThat(warehouse.calls).isEqualTo(1);
        time.advance(Duration.ofSeconds(2));
        pipeline.drain();
        assertThat(warehouse.sent).containsExactly("17");
    }

    @Test
    void an_exhausted_event_is_a_dead_letter_without_real_waiting() {
        warehouse.failures = 99;
        publish();
        pipeline.drain(Duration.ofMinutes(1).plusMillis(1));
        assertThat(warehouse.calls).isEqualTo(4);
        assertThat(pipeline.deadLetters())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    @Test
    void a_test_method_begins_without_events_of_earlier_methods() {
        assertThat(pipeline.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void only_beans_with_handler_methods_are_created() {
        assertThat(context.getBeansOfType(Shop.Shipping.class)).hasSize(1);
        assertThat(context.getBeansOfType(Shop.Desk.class)).isEmpty();
    }
}
