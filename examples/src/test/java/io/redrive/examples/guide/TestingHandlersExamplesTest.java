package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.pipeline.Pipeline;
import io.redrive.testkit.FaultyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The snippets of testing-handlers.md. */
final class TestingHandlersExamplesTest {

    // snippet: stepped-pipeline
    private final ManualTime time = new ManualTime();
    private final EventStore store = new InMemoryEventStore();
    private final Shipping shipping = new Shipping();

    private Pipeline pipelineOn(EventStore any) {
        return Pipeline.on(any)
                .on("order.*", shipping::ship)
                .executor(Runnable::run) // handlers run where step() is called
                .time(time)
                .build(); // not start(): the test steps the pipeline by hand
    }

    @Test
    void an_order_is_shipped_at_the_third_attempt() {
        Pipeline pipeline = pipelineOn(store);
        shipping.failures = 2;

        pipeline.publish(order("17"));
        pipeline.drain();
        assertThat(shipping.shipped).isEmpty();

        time.advance(Duration.ofSeconds(4)); // more than both waits together: 1 s and 2 s, ±20 %
        pipeline.drain();
        time.advance(Duration.ofSeconds(4));
        pipeline.drain();
        assertThat(shipping.shipped).containsExactly("17");
    }

    @Test
    void an_order_that_never_works_is_a_dead_letter_with_its_history() {
        Pipeline pipeline = pipelineOn(store);
        shipping.failures = 99;

        pipeline.publish(order("17"));
        for (int i = 0; i < 3; i++) {
            pipeline.drain();
            time.advance(Duration.ofMinutes(5));
        }

        assertThat(store.deadLetters().list(LetterFilter.ALL, 0, 10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
                    assertThat(store.deadLetters()
                                    .find(letter.id())
                                    .orElseThrow()
                                    .history())
                            .hasSize(3);
                });
    }
    // end

    // snippet: faulty-store
    @Test
    void whichever_call_of_the_store_fails_the_order_is_shipped() {
        for (int n = 1; ; n++) {
            FaultyStore faulty = FaultyStore.failing(new InMemoryEventStore(), n, FaultyStore.Moment.AFTER);
            Pipeline pipeline = pipelineOn(faulty);
            shipping.shipped.clear();

            insist(() -> pipeline.publish(order("17")));
            for (int i = 0; i < 40; i++) {
                insist(pipeline::drain);
                time.advance(Duration.ofSeconds(1)); // long enough for a lease to run out
            }

            assertThat(shipping.shipped).as("call %d failed", n).contains("17");
            if (!faulty.hasFailed()) {
                return; // no n-th call is left: each call has failed once
            }
        }
    }

    /** A started pipeline does this by itself. */
    private static void insist(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            action.run();
        }
    }
    // end

    /** A handler under test. */
    private static final class Shipping {
        private final List<String> shipped = new ArrayList<>();
        private int failures;

        void ship(Event event) throws IOException {
            if (failures-- > 0) {
                throw new IOException("warehouse is down");
            }
            shipped.add(event.text());
        }
    }

    private Event order(String number) {
        return Event.named("order.paid")
                .source("shop")
                .correlationId("order-" + number)
                .text(number)
                .time(time)
                .build();
    }

    @Test
    void a_refused_event_never_reaches_the_store() {
        assertThatThrownBy(() -> Event.named("order paid").source("shop").build())
                .hasMessageStartingWith("name must be dotted words");
    }
}
