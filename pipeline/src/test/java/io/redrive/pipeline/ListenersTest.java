package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {

    private final Rig rig = new Rig();

    /** Throws whatever it hears. */
    private record Grumpy(boolean error) implements PipelineListener {
        private void grumble() {
            if (error) {
                throw new AssertionError("grumble");
            }
            throw new IllegalStateException("grumble");
        }

        @Override
        public void onPublished(Published event) {
            grumble();
        }

        @Override
        public void onDone(Done event) {
            grumble();
        }

        @Override
        public void onRetry(Retrying event) {
            grumble();
        }

        @Override
        public void onDead(Dead event) {
            grumble();
        }

        @Override
        public void onBatch(Batched event) {
            grumble();
        }

        @Override
        public void onLint(Lint event) {
            grumble();
        }
    }

    private void endsWell(PipelineListener grumpy) {
        Pipeline pipeline = Pipeline.on(rig.store)
                .executor(Runnable::run)
                .time(rig.time)
                .listener(grumpy)
                .listener(rig.heard)
                .policies(EventPolicies.defaults().with("*", Rig.attempts(2)))
                .on("good", event -> {})
                .on("bad", event -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(List.of(rig.event("good").build(), rig.event("bad").build()));
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofSeconds(1));
        assertThat(rig.heard.done).hasSize(1);
        assertThat(rig.heard.retries).hasSize(1);
        assertThat(rig.heard.dead).hasSize(1);
        assertThat(rig.stats().claimed()).isZero();
    }

    @Test
    void a_listener_that_throws_has_no_effect_on_events_and_other_listeners() {
        endsWell(new Grumpy(false));
    }

    @Test
    void a_listener_that_throws_an_error_changes_nothing_either() {
        endsWell(new Grumpy(true));
    }

    @Test
    void a_listener_added_to_a_running_pipeline_hears_what_follows() {
        Pipeline pipeline = rig.pipeline().on("*", event -> {}).build();
        Heard late = new Heard();
        pipeline.listen(late);
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        assertThat(late.done).hasSize(1);
    }

    @Test
    void duplicates_are_told_to_the_caller_and_to_listeners_and_never_handled() {
        Pipeline pipeline =
                rig.pipeline().on("*", event -> rig.handled.add(event.id())).build();
        Event event = rig.event("order.paid").build();
        assertThat(pipeline.publish(List.of(event, event)))
                .containsExactly(PublishResult.ACCEPTED, PublishResult.DUPLICATE);
        pipeline.drain();
        assertThat(pipeline.publish(event)).isEqualTo(PublishResult.DUPLICATE);
        pipeline.drain();
        assertThat(rig.handled).hasSize(1);
        assertThat(rig.heard.published)
                .extracting(PipelineListener.Published::duplicates)
                .containsExactly(1, 1);
    }

    @Test
    void a_batch_of_critical_events_that_fails_is_announced_with_its_lane() {
        Pipeline pipeline = rig.pipeline()
                .on("*", event -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(rig.event("order.paid").priority(Priority.CRITICAL).build());
        pipeline.drain();
        assertThat(rig.heard.batches).last().satisfies(batch -> {
            assertThat(batch.lane()).isEqualTo(Lane.CRITICAL);
            assertThat(batch.outcome()).isEqualTo(PipelineListener.BatchOutcome.ERROR);
        });
    }

    @Test
    void a_publish_call_tells_the_ids_of_its_duplicates_and_of_no_other_event() {
        Pipeline pipeline = rig.pipeline().on("*", event -> {}).build();
        List<Event> first = rig.events("order.paid", 2);
        pipeline.publish(first);
        Event fresh = rig.event("order.paid").build();
        pipeline.publish(List.of(first.get(1), fresh, first.get(0)));
        assertThat(rig.heard.published)
                .extracting(PipelineListener.Published::accepted, PipelineListener.Published::duplicateIds)
                .containsExactly(
                        tuple(2, List.of()),
                        tuple(1, List.of(first.get(1).id(), first.get(0).id())));
    }

    @Test
    void of_many_duplicates_all_are_counted_and_the_first_ids_are_told() {
        Pipeline pipeline = rig.pipeline().on("*", event -> {}).build();
        List<Event> events = rig.events("order.paid", PipelineListener.MAX_IDS + 1);
        pipeline.publish(events);
        pipeline.publish(events);
        PipelineListener.Published again = rig.heard.published.get(1);
        assertThat(again.duplicates()).isEqualTo(events.size());
        assertThat(again.duplicateIds())
                .isEqualTo(events.stream()
                        .limit(PipelineListener.MAX_IDS)
                        .map(Event::id)
                        .toList());
    }
}
