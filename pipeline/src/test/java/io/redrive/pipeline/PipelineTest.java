package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PipelineTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final List<String> handled = new ArrayList<>();

    private Pipeline.Builder stepped() {
        return Pipeline.on(store).executor(Runnable::run).time(time).random(RandomGenerator.of("L64X128MixRandom"));
    }

    private Event event(String name) {
        return Event.named(name).source("test").correlationId("c").time(time).build();
    }

    @Test
    void a_published_event_is_handled_and_done() {
        Pipeline pipeline =
                stepped().on("order.*", event -> handled.add(event.name())).build();
        pipeline.publish(event("order.paid"));
        pipeline.drain();
        assertThat(handled).containsExactly("order.paid");
        assertThat(store.stats(time.now()).claimed()).isZero();
        assertThat(store.stats(time.now()).ready()).isZero();
    }

    @Test
    void a_pipeline_that_was_built_starts_once() {
        Pipeline pipeline = Pipeline.on(store).on("*", event -> {}).build();
        pipeline.start();
        assertThatThrownBy(pipeline::start).hasMessage("the pipeline runs already");
        pipeline.close();
        assertThatThrownBy(pipeline::start).hasMessage("a pipeline that was stopped cannot start again; build another");
    }

    @Test
    void an_event_that_fails_is_retried_after_its_backoff_and_then_dead_lettered() {
        Pipeline pipeline = stepped()
                .on("order.*", event -> {
                    handled.add(event.name());
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(event("order.paid"));
        pipeline.drain();
        assertThat(handled).hasSize(1);
        time.advance(Duration.ofMillis(1_200));
        pipeline.drain();
        assertThat(handled).hasSize(2);
        time.advance(Duration.ofMillis(2_400));
        pipeline.drain();
        assertThat(handled).hasSize(3);
        List<DeadLetter> letters = store.deadLetters().list(LetterFilter.ALL, 0, 10);
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(letter.errorType()).isEqualTo("IOException");
            assertThat(store.deadLetters().find(letter.id()).orElseThrow().history())
                    .hasSize(3);
        });
    }

    @Test
    void a_failing_batch_is_split_until_the_culprit_stands_alone() {
        Pipeline pipeline = stepped()
                .onBatch("order.*", batch -> {
                    if (batch.events().stream().anyMatch(event -> event.name().equals("order.bad"))) {
                        throw new IllegalStateException("cannot");
                    }
                    batch.events().forEach(event -> handled.add(event.name()));
                })
                .build();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            events.add(event(i == 6 ? "order.bad" : "order.good"));
        }
        pipeline.publish(events);
        pipeline.drain();
        assertThat(handled).hasSize(9);
        assertThat(store.stats(time.now()).delayed()).isEqualTo(1);
    }
}
