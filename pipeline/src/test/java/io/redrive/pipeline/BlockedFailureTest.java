package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exceptions whose text never comes, not even after an interrupt: the pipeline settles the event, goes on, and stops. */
@Timeout(60)
class BlockedFailureTest {

    /** Events of this test, besides one whose exception blocks. */
    private static final int OTHERS = 40;

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch handled = new CountDownLatch(OTHERS);
    private final CountDownLatch dead = new CountDownLatch(1);

    @AfterEach
    void release() {
        release.countDown();
    }

    private final class Blocking extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // Ignores the interrupt.
                }
            }
            return "late";
        }
    }

    private Pipeline.Builder pipeline() {
        return Pipeline.on(store)
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .listener(new PipelineListener() {
                    @Override
                    public void onDead(Dead event) {
                        dead.countDown();
                    }
                });
    }

    private void handle(Event event) {
        if (event.name().equals("order.bad")) {
            throw new Blocking();
        }
        handled.countDown();
    }

    private void publishAndAwait(Pipeline pipeline) throws InterruptedException {
        pipeline.publish(event("order.bad"));
        for (int i = 0; i < OTHERS; i++) {
            pipeline.publish(event("order.paid"));
        }
        assertThat(handled.await(30, TimeUnit.SECONDS)).as("others handled").isTrue();
    }

    private static Event event(String name) {
        return Event.named(name).source("test").correlationId("c").build();
    }

    private DeadLetter onlyLetter() {
        List<DeadLetter> letters = store.deadLetters().list(LetterFilter.ALL, 0, 2).stream()
                .map(letter -> store.deadLetters().find(letter.id()).orElseThrow())
                .toList();
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }

    private void assertNothingClaimed() {
        assertThat(store.stats(Time.system().now())).satisfies(stats -> {
            assertThat(stats.claimed()).isZero();
            assertThat(stats.ready()).isZero();
        });
    }

    @Test
    void a_handler_whose_exception_blocks_makes_a_dead_letter_and_holds_up_no_other_event()
            throws InterruptedException {
        try (Pipeline pipeline = pipeline().on("*", this::handle).start()) {
            publishAndAwait(pipeline);
            assertThat(dead.await(30, TimeUnit.SECONDS)).as("a dead letter").isTrue();
        }
        assertThat(onlyLetter().lastError()).contains("Blocking (its message was not read within");
        assertNothingClaimed();
    }

    @Test
    void a_validator_whose_exception_blocks_makes_a_dead_letter_and_holds_up_no_other_event()
            throws InterruptedException {
        try (Pipeline pipeline = pipeline()
                .validate("order.bad", event -> {
                    throw new Blocking();
                })
                .on("*", this::handle)
                .start()) {
            publishAndAwait(pipeline);
            assertThat(dead.await(30, TimeUnit.SECONDS)).as("a dead letter").isTrue();
        }
        assertNothingClaimed();
    }

    @Test
    void a_stop_while_an_exception_is_read_ends_and_leaves_nothing_claimed() throws InterruptedException {
        CountDownLatch thrown = new CountDownLatch(1);
        Pipeline pipeline = pipeline()
                .on("*", event -> {
                    thrown.countDown();
                    throw new Blocking();
                })
                .start();
        pipeline.publish(event("order.bad"));
        thrown.await();
        pipeline.close();
        assertThat(store.stats(Time.system().now()).claimed()).isZero();
    }

    @Test
    void a_listener_whose_exception_blocks_the_log_holds_up_no_event() throws InterruptedException {
        Pipeline.Builder builder = pipeline().listener(new PipelineListener() {
            @Override
            public void onDead(Dead event) {
                throw new Blocking();
            }
        });
        try (Pipeline pipeline = builder.on("*", this::handle).start()) {
            publishAndAwait(pipeline);
        }
        assertNothingClaimed();
    }
}
