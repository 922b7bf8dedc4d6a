package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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
    void the_log_has_a_line_with_service_node_store_handlers_and_policies() {
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger(Pipeline.class.getPackageName());
        Handler capturing = new Handler() {
            @Override
            public void publish(LogRecord record) {
                lines.add(record.getLevel() + " " + record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addHandler(capturing);
        try {
            new LoggingListener()
                    .onStarted(new PipelineListener.Started(
                            "orders",
                            "node-1",
                            "store orders.db",
                            List.of("order.*", "*"),
                            Map.of("order.*", "3 attempts"),
                            rig.time.now()));
        } finally {
            logger.removeHandler(capturing);
            logger.setLevel(before);
        }
        assertThat(lines)
                .containsExactly("INFO pipeline of service 'orders' started as node 'node-1' on store orders.db;"
                        + " handlers: order.*, *; policies: order.* 3 attempts");
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
