package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name whose events nearly all become dead letters, seen from the store. */
class PauseTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();
    private boolean broken = true;

    private Pipeline pipeline() {
        return rig.pipeline()
                .handle("order.*", event -> {
                    rig.handled.add(event.id());
                    return broken ? Outcome.dead("downstream says no") : Outcome.done();
                })
                .on("mail.*", event -> {})
                .build();
    }

    /** Publishes events one at a time: each event has ended before the next is claimed. */
    private void publish(Pipeline pipeline, String name, int count) {
        for (Event event : rig.events(name, count)) {
            pipeline.publish(event);
            pipeline.drain();
        }
    }

    private StoreStats.Waiting waiting() {
        return NamePause.stats(rig.store, rig.time.now()).waiting();
    }

    @Test
    void during_a_pause_no_event_of_the_name_is_claimed_and_a_probe_costs_few_claims() {
        List<Integer> claimed = new ArrayList<>();
        HookedStore store = new HookedStore(rig.store) {
            @Override
            public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
                Exchange exchange = super.exchange(settlements, requests, now);
                claimed.add(exchange.claims().size());
                return exchange;
            }
        };
        Pipeline pipeline = rig.pipelineOn(store)
                .handle("order.*", event -> broken ? Outcome.dead("downstream says no") : Outcome.done())
                .build();
        publish(pipeline, "order.paid", NamePauses.WINDOW);
        claimed.clear();
        rig.store.publish(rig.events("order.paid", 5_000), rig.time.now());
        rig.run(pipeline, Duration.ofSeconds(29), SECOND);
        assertThat(claimed).isNotEmpty().containsOnly(0);
        rig.run(pipeline, Duration.ofSeconds(20), SECOND);
        assertThat(rig.letters()).as("one probe").hasSize(NamePauses.WINDOW + 1);
        int capacity = Profile.STANDARD.capacity(Lane.DOMAIN);
        assertThat(claimed.stream().mapToInt(each -> each).sum())
                .as("one load to ask for the right to probe, one for the probe")
                .isLessThanOrEqualTo(2 * capacity);
        broken = false;
        rig.run(pipeline, Duration.ofMinutes(3), SECOND);
        assertThat(rig.heard.done).hasSize(4_999);
    }

    @Test
    void after_twenty_deaths_the_rest_of_the_name_waits_in_the_store() {
        Pipeline pipeline = pipeline();
        publish(pipeline, "order.paid", 50);
        assertThat(rig.letters()).hasSize(NamePauses.WINDOW);
        assertThat(rig.stats().ready()).isEqualTo(30);
        assertThat(rig.heard.paused).hasSize(1);
    }

    @Test
    void the_store_tells_events_of_a_paused_name_from_events_that_wait_for_another_cause() {
        Pipeline pipeline = pipeline();
        publish(pipeline, "order.paid", 50);
        assertThat(waiting()).isEqualTo(new StoreStats.Waiting(0, 0, Duration.ZERO, 30, 0));
    }

    @Test
    void other_names_go_on_meanwhile() {
        Pipeline pipeline = pipeline();
        publish(pipeline, "order.paid", 30);
        publish(pipeline, "mail.sent", 5);
        publish(pipeline, "order.sent", 5);
        assertThat(rig.heard.done).hasSize(5);
        assertThat(rig.letters()).hasSize(NamePauses.WINDOW + 5);
    }

    @Test
    void while_the_downstream_is_broken_a_pause_costs_one_probe() {
        Pipeline pipeline = pipeline();
        publish(pipeline, "order.paid", 50);
        rig.run(pipeline, Duration.ofMinutes(5), SECOND);
        // Pauses of 30 s, 1 min, 2 min, 4 min: three probes within five minutes.
        assertThat(rig.letters()).hasSize(NamePauses.WINDOW + 3);
    }

    @Test
    void when_the_downstream_is_back_the_probe_resumes_the_name_and_no_attempt_was_spent() {
        Pipeline pipeline = pipeline();
        publish(pipeline, "order.paid", 50);
        broken = false;
        rig.run(pipeline, Duration.ofMinutes(2), SECOND);
        assertThat(rig.heard.done).hasSize(30).allMatch(done -> done.attempts() == 1);
        assertThat(rig.heard.paused.get(rig.heard.paused.size() - 1).until()).isNull();
    }

    @Test
    void a_name_that_fails_now_and_then_is_not_paused() {
        List<String> seen = new ArrayList<>();
        Pipeline pipeline = rig.pipeline()
                .handle("*", event -> {
                    seen.add(event.id());
                    return seen.size() % 5 == 0 ? Outcome.done() : Outcome.dead("no");
                })
                .build();
        publish(pipeline, "order.paid", 200);
        assertThat(rig.heard.paused).isEmpty();
        assertThat(seen).hasSize(200);
    }

    @Test
    void a_name_paused_by_one_node_waits_on_all_nodes_and_after_a_restart() {
        publish(pipeline(), "order.paid", NamePauses.WINDOW);
        Pipeline other = pipeline();
        other.step();
        publish(other, "order.paid", 5);
        assertThat(rig.letters()).hasSize(NamePauses.WINDOW);
        assertThat(waiting().paused()).isEqualTo(5);
    }

    @Test
    void a_clock_set_back_an_hour_does_not_pause_for_an_hour_longer() {
        Pipeline pipeline = pipeline();
        publish(pipeline, "order.paid", 20);
        rig.time.jump(Duration.ofHours(-1));
        broken = false;
        publish(pipeline, "order.paid", 1);
        rig.run(pipeline, Duration.ofSeconds(2), SECOND);
        assertThat(rig.heard.done).hasSize(1);
    }

    @Test
    void events_that_came_too_late_do_not_pause_their_name() {
        Pipeline pipeline =
                rig.pipeline().on("*", event -> rig.handled.add(event.id())).build();
        for (int i = 0; i < 100; i++) {
            pipeline.publish(rig.event("order.paid")
                    .deadline(rig.time.now().plusSeconds(20))
                    .build());
        }
        rig.time.advance(Duration.ofMinutes(1));
        Event fresh =
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(20)).build();
        pipeline.publish(fresh);
        pipeline.drain();
        assertThat(rig.heard.dead).hasSize(100).allMatch(dead -> dead.reason() == Reason.TTL_EXCEEDED);
        assertThat(rig.heard.paused).isEmpty();
        assertThat(rig.handled).containsExactly(fresh.id());
    }

    @Test
    void a_name_whose_probe_was_given_back_resumes_with_the_next_probe() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .executor(busy)
                .handle("*", event -> broken ? Outcome.dead("downstream says no") : Outcome.done())
                .build();
        pipeline.publish(rig.events("order.paid", 21));
        for (int i = 0; i < 40; i++) {
            pipeline.drain();
            busy.runAll();
        }
        pipeline.publish(rig.events("order.paid", 2));
        broken = false;
        while (busy.waiting.isEmpty()) {
            pipeline.drain();
            rig.time.advance(SECOND);
        }
        // The process stalls for longer than its lease while the probe waits for its handler, which must not begin.
        rig.time.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 180; i++) {
            pipeline.drain();
            busy.runAll();
            rig.time.advance(SECOND);
        }
        assertThat(rig.heard.done).isNotEmpty();
        assertThat(rig.stats().delayed() + rig.stats().ready() + rig.stats().claimed())
                .isZero();
    }
}
