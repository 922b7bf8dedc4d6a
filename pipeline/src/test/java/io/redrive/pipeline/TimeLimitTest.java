package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Reason;
import io.redrive.events.Event;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TimeLimitTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    /** Takes longer than the limit of 20 s by the test's clock, and ignores its interrupt. */
    private void dawdle() {
        rig.time.advance(Duration.ofSeconds(21));
    }

    @Test
    void an_event_that_always_takes_too_long_is_retried_and_ends_as_timeout() {
        Pipeline pipeline = rig.pipeline().on("*", event -> dawdle()).build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        assertThat(rig.heard.retries).hasSize(1);
        rig.run(pipeline, Duration.ofSeconds(5), SECOND);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(rig.onlyLetter().attempts().failed()).isEqualTo(3);
        assertThat(rig.onlyLetter().errorType()).isEqualTo("timeout");
    }

    @Test
    void a_batch_that_took_too_long_is_announced_as_such() {
        Pipeline pipeline = rig.pipeline().on("*", event -> dawdle()).build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        assertThat(rig.heard.batches)
                .extracting(PipelineListener.Batched::outcome)
                .containsExactly(PipelineListener.BatchOutcome.START, PipelineListener.BatchOutcome.TIMEOUT);
    }

    @Test
    void the_interrupt_of_one_event_does_not_reach_the_next() {
        Pipeline pipeline = rig.pipeline()
                .on("*", event -> {
                    if (event.name().equals("order.slow")) {
                        dawdle();
                    } else {
                        rig.handled.add(event.name() + Thread.currentThread().isInterrupted());
                    }
                })
                .build();
        pipeline.publish(rig.event("order.slow").build());
        pipeline.publish(rig.event("order.next").build());
        pipeline.drain();
        assertThat(rig.handled).containsExactly("order.nextfalse");
    }

    @Test
    void an_interrupt_that_a_handler_leaves_behind_does_not_reach_the_next_event() {
        Pipeline pipeline = rig.pipeline()
                .on("*", event -> {
                    rig.handled.add(event.name() + Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                })
                .build();
        pipeline.publish(rig.event("order.first").build());
        pipeline.publish(rig.event("order.next").build());
        pipeline.drain();
        assertThat(rig.handled).containsExactly("order.firstfalse", "order.nextfalse");
    }

    @Test
    @Timeout(20)
    void a_real_handler_is_interrupted_when_its_time_is_up() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(2);
        CountDownLatch dead = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.on(rig.store)
                .profile(Profile.STANDARD.withTimeLimit(Duration.ofMillis(20)))
                .policies(EventPolicies.defaults()
                        .with(
                                "*",
                                Rig.attempts(2).toBuilder()
                                        .backoff(Backoff.none())
                                        .build()))
                .on("*", event -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                })
                .listener(new PipelineListener() {
                    @Override
                    public void onDead(Dead event) {
                        dead.countDown();
                    }
                })
                .start()) {
            pipeline.publish(
                    Event.named("order.paid").source("test").correlationId("c").build());
            assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(dead.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TIMEOUT);
    }
}
