package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The announcement of a started pipeline. */
class StartTest {

    private final Rig rig = new Rig();
    private final List<PipelineListener.Started> started = new ArrayList<>();

    private Pipeline.Builder pipeline() {
        return rig.pipeline().service("orders").listener(new PipelineListener() {
            @Override
            public void onStarted(Started event) {
                started.add(event);
            }
        });
    }

    @Test
    void a_pipeline_that_starts_tells_store_node_handlers_and_the_policies_in_force() {
        try (Pipeline pipeline = pipeline()
                .on("*", event -> {})
                .onBatch("ml.trial.*", batch -> {})
                .start()) {
            assertThat(started).singleElement().satisfies(event -> {
                assertThat(event.service()).isEqualTo("orders");
                assertThat(event.node()).isEqualTo("node-1");
                assertThat(event.store()).isEqualTo("InMemoryEventStore");
                assertThat(event.handlers()).containsExactly("ml.trial.* (batches)", "*");
                assertThat(event.policies())
                        .hasSameSizeAs(pipeline.policies().all())
                        .containsEntry("*", Rig.attempts(3).toString());
            });
        }
    }

    @Test
    void a_pipeline_that_is_stepped_by_hand_tells_nothing() {
        pipeline().on("*", event -> {}).build().step();
        assertThat(started).isEmpty();
    }

    @Test
    void policies_that_look_like_a_mistake_are_told_by_pattern() {
        RetryPolicy hasty = RetryPolicy.builder()
                .maxAttempts(50)
                .backoff(Backoff.fixed(Duration.ofMinutes(1)))
                .maxDuration(Duration.ofSeconds(30))
                .build();
        pipeline().policies(EventPolicies.defaults().with("order.*", hasty)).build();
        assertThat(rig.heard.lints)
                .extracting(PipelineListener.Lint::warning)
                .isNotEmpty()
                .allMatch(warning -> warning.startsWith("policy for 'order.*': "));
    }

    @Test
    void the_default_policies_need_no_warning() {
        rig.pipeline().policies(EventPolicies.defaults()).build();
        assertThat(rig.heard.lints).isEmpty();
    }
}
