package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Attempts;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Leases, recovery and crashes. A crashed process is a pipeline that is never stepped again. */
class RecoveryTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();
    private final QueuedExecutor busy = new QueuedExecutor();

    /** Returns a pipeline whose handlers begin and never end. */
    private Pipeline stuck() {
        return rig.pipeline().executor(busy).on("*", event -> {}).build();
    }

    private Pipeline healthy() {
        return rig.pipeline()
                .node("node-2")
                .on("*", event -> rig.handled.add(event.id()))
                .build();
    }

    @Test
    void leases_are_extended_while_a_handler_is_busy() {
        Pipeline first = stuck();
        first.publish(rig.event("order.paid").build());
        Pipeline second = healthy();
        for (int i = 0; i < 120; i++) {
            first.step();
            second.drain();
            rig.time.advance(SECOND);
        }
        assertThat(rig.handled).isEmpty();
        busy.runAll();
        first.drain();
        assertThat(rig.heard.done).hasSize(1);
        assertThat(rig.heard.stale).isEmpty();
    }

    @Test
    void events_of_a_crashed_process_are_taken_over_within_thirty_seconds() {
        Pipeline crashing = stuck();
        crashing.publish(rig.event("order.paid").build());
        crashing.drain();
        Pipeline second = healthy();
        rig.run(second, Duration.ofSeconds(30), SECOND);
        assertThat(rig.handled).hasSize(1);
        assertThat(rig.heard.recovered)
                .extracting(PipelineListener.Recovered::events)
                .containsExactly(1);
    }

    @Test
    void events_of_a_stopped_process_are_taken_over_within_a_second() {
        Pipeline first = stuck();
        Pipeline second = healthy();
        first.publish(rig.event("order.paid").build());
        first.step();
        second.drain();
        first.stop(Duration.ZERO);
        assertThat(rig.handled).isEmpty();
        rig.run(second, SECOND, Duration.ofMillis(100));
        assertThat(rig.handled).hasSize(1);
    }

    @Test
    void a_process_restarted_under_its_name_takes_over_at_its_first_step_once_the_lease_is_over() {
        Pipeline crashing = stuck();
        crashing.publish(rig.event("order.paid").build());
        crashing.drain();
        rig.time.advance(Duration.ofMinutes(1));
        rig.pipeline().on("*", event -> rig.handled.add(event.id())).build().drain();
        assertThat(rig.handled).hasSize(1);
    }

    @Test
    void a_process_that_has_just_started_watches_before_another_counts_as_gone() {
        Pipeline crashing = stuck();
        crashing.publish(rig.event("order.paid").build());
        crashing.drain();
        rig.time.advance(Duration.ofMinutes(1));
        Pipeline second = healthy();
        second.drain();
        assertThat(rig.handled).isEmpty();
        rig.run(second, Duration.ofSeconds(21), SECOND);
        assertThat(rig.handled).hasSize(1);
    }

    @Test
    void leases_that_ran_out_while_no_node_reached_the_store_count_no_crash() {
        AtomicBoolean away = new AtomicBoolean();
        HookedStore store = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (away.get()) {
                    throw new IllegalStateException("away");
                }
                T result = call.get();
                if (result instanceof Exchange exchange) {
                    exchange.claims()
                            .forEach(claim -> crashes.add(claim.attempts().crashed()));
                }
                return result;
            }
        };
        Pipeline first =
                rig.pipelineOn(store).executor(busy).on("*", event -> {}).build();
        QueuedExecutor otherBusy = new QueuedExecutor();
        Pipeline second = rig.pipelineOn(store)
                .node("node-2")
                .executor(otherBusy)
                .on("*", event -> {})
                .build();
        List<Pipeline> nodes = List.of(first, second);
        rig.store.publish(rig.events("order.paid", 300), rig.time.now());
        stepAll(nodes, 20);
        assertThat(rig.stats().claimed()).isEqualTo(300);
        away.set(true);
        stepAll(nodes, 60);
        away.set(false);
        // The second process is back ten seconds after the first, which must not count it as crashed.
        stepAll(List.of(first), 10);
        stepAll(nodes, 60);
        for (int i = 0; i < 60; i++) {
            busy.runAll();
            otherBusy.runAll();
            stepAll(nodes, 1);
        }
        assertThat(rig.heard.done).hasSize(300);
        assertThat(crashes).as("crashes of claimed events").containsOnly(0);
    }

    private final Set<Integer> crashes = new HashSet<>();

    private void stepAll(List<Pipeline> nodes, int seconds) {
        for (int second = 0; second < seconds; second++) {
            for (Pipeline node : nodes) {
                try {
                    node.drain();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("away");
                }
            }
            rig.time.advance(SECOND);
        }
    }

    @Test
    void a_claim_whose_answer_got_lost_counts_no_crash_while_its_process_lives() {
        AtomicBoolean lost = new AtomicBoolean(true);
        HookedStore store = new HookedStore(rig.store) {
            @Override
            public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
                Exchange exchange = super.exchange(settlements, requests, now);
                exchange.claims().forEach(claim -> crashes.add(claim.attempts().crashed()));
                if (!exchange.claims().isEmpty() && lost.getAndSet(false)) {
                    throw new IllegalStateException("away");
                }
                return exchange;
            }
        };
        Pipeline pipeline = rig.pipelineOn(store)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.events("order.paid", 50));
        stepAll(List.of(pipeline), 40);
        assertThat(rig.handled).hasSize(50);
        assertThat(crashes).containsOnly(0);
    }

    @Test
    void a_crash_is_counted_apart_from_failures() {
        Pipeline crashing = stuck();
        crashing.publish(rig.event("order.paid").build());
        crashing.drain();
        rig.time.advance(Duration.ofMinutes(1));
        rig.pipeline().handle("*", event -> Outcome.dead("enough")).build().drain();
        assertThat(rig.onlyLetter().attempts()).isEqualTo(new Attempts(1, 0, 1));
    }

    @Test
    void the_late_word_of_a_worker_that_lost_its_lease_changes_nothing() {
        Pipeline slow = stuck();
        slow.publish(rig.event("order.paid").build());
        slow.drain();
        rig.time.advance(Duration.ofMinutes(1));
        rig.pipeline()
                .handle("*", event -> Outcome.dead("the second says no"))
                .build()
                .drain();
        busy.runAll();
        slow.step();
        assertThat(rig.heard.stale).hasSize(1);
        assertThat(rig.heard.done).isEmpty();
        assertThat(rig.onlyLetter().lastError()).isEqualTo("the second says no");
    }

    @Test
    void a_stalled_process_begins_no_event_that_other_processes_may_have() {
        List<String> late = new ArrayList<>();
        Pipeline stalled = rig.pipeline()
                .executor(busy)
                .profile(Profile.STANDARD.withDomain(new BatcherSettings(2, 5, SECOND)))
                .on("order.*", event -> late.add(event.id()))
                .onBatch("mail.*", batch -> batch.events().forEach(event -> late.add(event.id())))
                .build();
        stalled.publish(rig.events("order.paid", 20));
        stalled.publish(rig.events("mail.sent", 20));
        stalled.drain();
        rig.time.advance(Duration.ofMinutes(1));
        rig.run(healthy(), Duration.ofMinutes(1), SECOND);
        assertThat(rig.handled).hasSize(40).doesNotHaveDuplicates();
        // One task goes on before the process notices the loss, the other after the first extension of leases.
        busy.runNext();
        stalled.step();
        busy.runAll();
        stalled.drain();
        assertThat(late).isEmpty();
        assertThat(rig.heard.stale).hasSize(40);
        assertThat(rig.stats().claimed()).isZero();
    }

    @Test
    void a_process_that_was_stalled_alone_handles_everything_once() {
        Pipeline stalled = rig.pipeline()
                .executor(busy)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        stalled.publish(rig.events("order.paid", 60));
        stalled.drain();
        rig.time.advance(Duration.ofMinutes(1));
        for (int seconds = 0; seconds < 5; seconds++) {
            stalled.drain();
            busy.runAll();
            rig.time.advance(SECOND);
        }
        stalled.drain();
        assertThat(rig.handled).hasSize(60).doesNotHaveDuplicates();
        assertThat(rig.heard.done).hasSize(60).allMatch(done -> done.attempts() == 1);
    }

    @Test
    void an_hour_forward_does_not_cost_a_live_pipeline_its_claims() {
        Pipeline pipeline = stuck();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.time.jump(Duration.ofHours(1));
        pipeline.drain();
        busy.runAll();
        pipeline.drain();
        assertThat(rig.heard.done).hasSize(1);
        assertThat(rig.heard.recovered).isEmpty();
    }

    @Test
    void an_hour_back_does_not_stop_the_heartbeat() {
        Pipeline pipeline = stuck();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.time.jump(Duration.ofHours(-1));
        pipeline.drain();
        Pipeline second = healthy();
        for (int i = 0; i < 120; i++) {
            rig.time.advance(SECOND);
            pipeline.step();
            second.drain();
        }
        assertThat(rig.handled).isEmpty();
    }

    /** A process which crashes after its claim, later than the leases of earlier processes. */
    private QueuedExecutor crashedLater(String node) {
        QueuedExecutor tasks = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .node(node)
                .executor(tasks)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        rig.time.advance(Duration.ofMinutes(1));
        stepAll(List.of(pipeline), 25);
        return tasks;
    }

    @Test
    void after_one_crash_events_keep_their_lane_and_no_more_are_claimed_than_can_begin() {
        Pipeline crashing = stuck();
        crashing.publish(rig.events("order.paid", 100));
        crashing.publish(rig.event("order.urgent").priority(Priority.CRITICAL).build());
        crashing.drain();
        QueuedExecutor second = crashedLater("node-2");
        assertThat(rig.stats().claimed()).isEqualTo(Profile.STANDARD.atOnce(Lane.DOMAIN) + 1);
        second.runAll();
        assertThat(rig.handled).contains("e101");
    }

    @Test
    void events_of_a_crashed_process_are_handled_concurrently_and_soon() {
        Pipeline crashing = stuck();
        crashing.publish(rig.events("order.paid", 200));
        crashing.publish(List.of(
                rig.event("order.urgent").priority(Priority.CRITICAL).build(),
                rig.event("order.urgent").priority(Priority.HIGH).build()));
        crashing.drain();
        rig.time.advance(Duration.ofMinutes(1));
        QueuedExecutor tasks = new QueuedExecutor();
        Pipeline second = rig.pipeline().executor(tasks).on("*", event -> {}).build();
        // Each handler takes a second: one at a time, 202 events would take 202 seconds.
        for (int seconds = 0; seconds < 80; seconds++) {
            second.drain();
            tasks.runAll();
            rig.time.advance(SECOND);
        }
        second.drain();
        assertThat(rig.heard.done).hasSize(202);
    }

    @Test
    void an_event_that_was_interrupted_three_times_is_handled_by_itself() {
        List<Integer> batches = new ArrayList<>();
        rig.store.publish(rig.events("order.paid", 3), rig.time.now());
        for (int stops = 0; stops < Attempts.INTERRUPTIONS_IN_BATCHES; stops++) {
            Pipeline stopped = rig.pipeline()
                    .executor(new QueuedExecutor())
                    .onBatch("*", batch -> {})
                    .build();
            stopped.drain();
            stopped.stop(Duration.ZERO);
        }
        rig.pipeline()
                .onBatch("*", batch -> batches.add(batch.events().size()))
                .build()
                .drain();
        assertThat(batches).containsExactly(1, 1, 1);
    }

    @Test
    void events_of_a_crashed_process_come_to_a_batch_handler_one_by_one() {
        List<Integer> batches = new ArrayList<>();
        Pipeline crashing = stuck();
        crashing.publish(rig.events("order.paid", 3));
        crashing.drain();
        rig.time.advance(Duration.ofMinutes(1));
        rig.pipeline()
                .onBatch("*", batch -> batches.add(batch.events().size()))
                .build()
                .drain();
        assertThat(batches).containsExactly(1, 1, 1);
    }
}
