package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.HasStatus;
import io.redrive.events.InMemoryEventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers whose number of calls at once finds itself. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandlerLimitTest {

    /** The answer of a downstream with too much to do. */
    private static final class Busy extends RuntimeException implements HasStatus {
        private static final long serialVersionUID = 1;

        @Override
        public int status() {
            return 503;
        }
    }

    private final Rig rig = new Rig();

    @Test
    void the_limit_and_not_the_processors_say_how_many_calls_run_at_once() throws Exception {
        CyclicBarrier five = new CyclicBarrier(5);
        CountDownLatch done = new CountDownLatch(50);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        InMemoryEventStore store = new InMemoryEventStore();
        try (Pipeline pipeline = Pipeline.on(store)
                .profile(Profile.STANDARD.withProcessors(2))
                .on("order.*", event -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    five.await();
                    running.decrementAndGet();
                    done.countDown();
                })
                .adaptiveLimit("order.*", AdaptiveLimit.between(5, 5))
                .start()) {
            pipeline.publish(rig.events("order.paid", 50));

            done.await();
        }
        assertThat(most.get()).isEqualTo(5);
    }

    @Test
    void a_downstream_that_pushes_back_lowers_the_limit_and_listeners_hear_of_it() {
        List<PipelineListener.Limited> heard = new ArrayList<>();
        AdaptiveLimit limit = AdaptiveLimit.between(1, 100);
        Pipeline pipeline = rig.pipeline()
                .on("order.*", event -> {
                    throw new Busy();
                })
                .adaptiveLimit("order.*", limit)
                .listener(new PipelineListener() {
                    @Override
                    public void onLimit(Limited event) {
                        heard.add(event);
                    }
                })
                .build();
        pipeline.publish(rig.events("order.paid", 500));

        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofMillis(100));

        assertThat(limit.limit()).isEqualTo(1);
        assertThat(heard).extracting(PipelineListener.Limited::pattern).containsOnly("order.*");
        assertThat(heard.get(heard.size() - 1).limit()).isEqualTo(1);
        assertThat(pipeline.describe()).contains("handler order.*: 1 calls at once (1 to 100)");
    }

    @Test
    void events_of_limited_and_other_handlers_are_all_handled_once() {
        Pipeline pipeline = rig.pipeline()
                .on("order.*", event -> rig.handled.add(event.id()))
                .on("mail.*", event -> rig.handled.add(event.id()))
                .adaptiveLimit("mail.*", AdaptiveLimit.between(1, 3))
                .build();
        pipeline.publish(rig.events("order.paid", 300));
        pipeline.publish(rig.events("mail.due", 300));

        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofMillis(10));

        assertThat(rig.handled).hasSize(600).doesNotHaveDuplicates();
    }

    @Test
    void a_limit_without_a_handler_of_single_events_is_refused() {
        Pipeline.Builder builder = rig.pipeline().onBatch("mail.*", batch -> {});

        assertThatThrownBy(() -> builder.adaptiveLimit("mail.*", AdaptiveLimit.between(1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pattern 'mail.*' has a handler of batches");
        assertThatThrownBy(() -> builder.adaptiveLimit("order.*", AdaptiveLimit.between(1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pattern 'order.*' has no handler (registered: mail.* (batches))");
    }

    @Test
    void a_second_limit_of_a_handler_is_refused() {
        Pipeline.Builder builder =
                rig.pipeline().on("mail.*", event -> {}).adaptiveLimit("mail.*", AdaptiveLimit.between(1, 2));

        assertThatThrownBy(() -> builder.adaptiveLimit("mail.*", AdaptiveLimit.between(1, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pattern 'mail.*' has an adaptive limit already");
    }

    @Test
    void nodes_with_the_same_handler_divide_the_bound() {
        List<AdaptiveLimit> limits = new ArrayList<>();
        List<Pipeline> nodes = new ArrayList<>();
        for (String node : List.of("node-1", "node-2")) {
            AdaptiveLimit limit = AdaptiveLimit.between(1, 64);
            limits.add(limit);
            nodes.add(rig.pipeline()
                    .node(node)
                    .on("mail.*", event -> {})
                    .adaptiveLimit("mail.*", limit)
                    .build());
        }
        for (int i = 0; i < 20; i++) {
            rig.time.advance(Duration.ofSeconds(1));
            nodes.forEach(Pipeline::step);
        }
        assertThat(limits).extracting(AdaptiveLimit::most).containsExactly(32, 32);

        nodes.get(1).close();
        for (int i = 0; i < 20; i++) {
            rig.time.advance(Duration.ofSeconds(1));
            nodes.get(0).step();
        }
        assertThat(limits.get(0).most()).isEqualTo(64);
    }
}
