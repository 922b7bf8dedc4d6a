package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import io.redrive.events.Priority;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTroubleTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** After a look at the notes, recover, a look for pauses, claim, the notes of this node, and the calls for this minute's automatic redrive. */
    private static final int FIRST_SETTLE = 10;

    private final Rig rig = new Rig();

    /** Fails the n-th call, before or after the call took effect. */
    private static final class NthCallFails extends HookedStore {
        private final int failing;
        private final boolean after;
        private int calls;

        NthCallFails(Rig rig, int failing, boolean after) {
            super(rig.store);
            this.failing = failing;
            this.after = after;
        }

        @Override
        <T> T around(String name, Supplier<T> call) {
            boolean fails = ++calls == failing;
            if (fails && !after) {
                throw new IllegalStateException("call " + calls + ", " + name + ", failed before it began");
            }
            T result = call.get();
            if (fails) {
                throw new IllegalStateException("the answer of call " + calls + ", " + name + ", got lost");
            }
            return result;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whichever_call_fails_everything_is_settled_exactly_once_at_the_end(boolean after) {
        int calls = 1;
        for (int failing = 1; failing <= calls; failing++) {
            Rig own = new Rig();
            NthCallFails store = new NthCallFails(own, failing, after);
            settleEverything(own, store, "call " + failing + (after ? " after" : " before"));
            calls = Math.min(store.calls, 200);
        }
        assertThat(calls).as("calls that were failed in turn").isGreaterThan(20);
    }

    /** One run with three lanes, an ordering key, retries and a dead letter. */
    private static void settleEverything(Rig rig, HookedStore store, String which) {
        Set<String> once = new HashSet<>();
        Pipeline pipeline = rig.pipelineOn(store)
                .handle("order.flaky", event -> once.add(event.id()) ? Outcome.retry("once more") : Outcome.done())
                .handle("order.dead", event -> Outcome.dead("no"))
                .onBatch("order.batch", batch -> {})
                .on("order.*", event -> {})
                .build();
        List<Event> events = new ArrayList<>();
        for (String name : List.of("order.paid", "order.flaky", "order.batch", "order.dead")) {
            events.add(rig.event(name).build());
            events.add(rig.event(name).priority(Priority.CRITICAL).build());
            events.add(rig.event(name).orderingKey("k").build());
        }
        rig.store.publish(events, rig.time.now());
        for (int second = 0; second < 120; second++) {
            try {
                pipeline.drain();
            } catch (IllegalStateException e) {
                pipeline.drain();
            }
            rig.time.advance(SECOND);
        }
        StoreStats stats = rig.stats();
        assertThat(List.of(stats.ready(), stats.delayed(), stats.claimed()))
                .as(which)
                .containsOnly(0L);
        assertThat(rig.letters())
                .as(which)
                .hasSize(3)
                .allMatch(letter -> letter.event().name().equals("order.dead"));
        Set<String> done = new HashSet<>();
        rig.heard.done.forEach(each -> assertThat(done.add(each.event().id()))
                .as(which + ": done twice " + each)
                .isTrue());
    }

    @Test
    void what_could_not_be_settled_is_settled_in_the_next_step() {
        NthCallFails store = new NthCallFails(rig, FIRST_SETTLE, false);
        Pipeline pipeline = rig.pipelineOn(store).on("*", event -> {}).build();
        rig.store.publish(List.of(rig.event("order.paid").build()), rig.time.now());
        int troubles = 0;
        for (int i = 0; i < 5; i++) {
            try {
                pipeline.step();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("settle");
                troubles++;
            }
        }
        assertThat(troubles).isEqualTo(1);
        assertThat(rig.heard.done).hasSize(1);
    }

    @Test
    @Timeout(20)
    void a_running_pipeline_tells_of_the_trouble_and_goes_on_when_it_is_over() throws InterruptedException {
        AtomicBoolean down = new AtomicBoolean(true);
        CountDownLatch told = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(1);
        HookedStore store = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (down.get() && name.equals("claim")) {
                    throw new IllegalStateException("database is down");
                }
                return call.get();
            }
        };
        try (Pipeline pipeline = Pipeline.on(store)
                .on("*", event -> done.countDown())
                .listener(new PipelineListener() {
                    @Override
                    public void onStoreTrouble(StoreTrouble event) {
                        told.countDown();
                    }
                })
                .start()) {
            pipeline.publish(Event.named("order.paid").source("test").build());
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
            down.set(false);
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @Timeout(20)
    void an_error_in_a_step_does_not_end_the_pipelines_thread() throws InterruptedException {
        AtomicBoolean fail = new AtomicBoolean(true);
        CountDownLatch done = new CountDownLatch(1);
        HookedStore store = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("claim") && fail.getAndSet(false)) {
                    throw new NoClassDefFoundError("a driver's class");
                }
                return call.get();
            }
        };
        try (Pipeline pipeline =
                Pipeline.on(store).on("*", event -> done.countDown()).start()) {
            pipeline.publish(Event.named("order.paid").source("test").build());
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @Timeout(60)
    void a_store_whose_exchanges_fail_again_and_again_is_asked_less_and_less_often() {
        CountDownLatch never = new CountDownLatch(1);
        HookedStore store = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("claim")) {
                    // Fails a while after the begin of the call, like a database which cannot write.
                    awaitMillis(never, 20);
                    throw new IllegalStateException("disk full");
                }
                return call.get();
            }
        };
        try (Pipeline pipeline =
                Pipeline.on(store).on("*", event -> {}).listener(rig.heard).start()) {
            while (rig.heard.troubles.size() < 6) {
                awaitMillis(never, 20);
            }
        }
        Duration fiveWaits = Duration.between(
                rig.heard.troubles.get(0).at(), rig.heard.troubles.get(5).at());
        // Half of 100, 200, 400, 800 and 1600 ms at the least.
        assertThat(fiveWaits).isGreaterThan(Duration.ofMillis(1_500));
    }

    private static void awaitMillis(CountDownLatch latch, int millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
