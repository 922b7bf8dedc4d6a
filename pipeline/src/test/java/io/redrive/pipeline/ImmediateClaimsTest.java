package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.PublishResult;
import io.redrive.events.StoreException;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that are claimed while they are published. */
@Timeout(30)
class ImmediateClaimsTest {

    /** Room of the domain lane, and the part of the room that publishers may use. */
    private static final int HELD = 200;

    private static final int FOR_PUBLISHERS = 150;

    private final Rig rig = new Rig();
    private final HookedStore store = new HookedStore(rig.store);

    private Pipeline pipeline(HookedStore on) {
        return rig.pipelineOn(on)
                .on("order.*", event -> rig.handled.add(event.id()))
                .claimingImmediately()
                .build();
    }

    /** Returns a pipeline that has looked at its store, which is empty. */
    private Pipeline caughtUp(HookedStore on) {
        Pipeline pipeline = pipeline(on);
        pipeline.drain();
        return pipeline;
    }

    private StoreStats stats() {
        return rig.stats();
    }

    @Test
    void an_event_is_handled_although_no_request_claimed_it() {
        Pipeline pipeline = caughtUp(store);
        int requests = store.claims.size();
        pipeline.publish(rig.event("order.paid").build());
        assertThat(stats().claimed()).isEqualTo(1);
        assertThat(stats().ready()).isZero();
        pipeline.drain();
        assertThat(rig.handled).containsExactly("e1");
        assertThat(rig.heard.done).hasSize(1);
        assertThat(stats().claimed()).isZero();
        assertThat(store.claims).hasSize(requests);
    }

    @Test
    void before_the_first_look_at_the_store_nothing_is_claimed_at_once() {
        rig.store.publish(rig.events("order.old", 1), rig.time.now());
        Pipeline pipeline = pipeline(store);
        pipeline.publish(rig.event("order.new").build());
        assertThat(stats().ready()).isEqualTo(2);
        pipeline.drain();
        assertThat(rig.handled).containsExactly("e1", "e2");
    }

    @Test
    void publishers_leave_a_quarter_of_the_room_to_events_of_the_store() {
        Pipeline pipeline = caughtUp(store);
        pipeline.publish(rig.events("order.paid", 500));
        assertThat(stats().claimed()).isEqualTo(FOR_PUBLISHERS);
        assertThat(stats().ready()).isEqualTo(500 - FOR_PUBLISHERS);
        pipeline.publish(rig.events("order.paid", 10));
        assertThat(stats().claimed()).as("no step has made room").isEqualTo(FOR_PUBLISHERS);
        pipeline.drain();
        assertThat(rig.handled).hasSize(510).doesNotHaveDuplicates();
    }

    @Test
    void beside_other_nodes_a_burst_is_shared_until_handlers_have_shown_to_be_quick() {
        Pipeline pipeline = caughtUp(store);
        Pipeline other = rig.pipelineOn(store)
                .node("node-2")
                .on("order.*", event -> rig.handled.add(event.id()))
                .build();
        for (int i = 0; i < 10; i++) {
            rig.time.advance(Duration.ofSeconds(1));
            pipeline.drain();
            other.drain();
        }
        pipeline.publish(rig.events("order.paid", 100));
        assertThat(stats().claimed())
                .as("as many as can begin at once")
                .isEqualTo(Profile.STANDARD.atOnce(Lane.DOMAIN));
        assertThat(stats().ready()).isEqualTo(100 - Profile.STANDARD.atOnce(Lane.DOMAIN));
        other.drain();
        assertThat(rig.handled).as("the other node finds the rest").hasSize(90);
        pipeline.drain();
        assertThat(rig.handled).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void new_events_overtake_a_backlog_of_the_last_moments() {
        rig.store.publish(rig.events("order.before", 10 * HELD), rig.time.now());
        rig.time.advance(Claimer.OVERTAKEN.minusNanos(1));
        Pipeline pipeline = pipeline(store);
        pipeline.step();
        long ready = stats().ready();
        assertThat(ready).as("the backlog is still there").isGreaterThan(HELD);
        pipeline.publish(rig.event("order.new").build());
        assertThat(stats().ready()).isEqualTo(ready);
    }

    @Test
    void new_events_do_not_overtake_a_backlog() {
        List<Event> old = rig.events("order.old", 10 * HELD);
        rig.store.publish(old, rig.time.now());
        rig.time.advance(Claimer.OVERTAKEN);
        Pipeline pipeline = pipeline(store);
        pipeline.step();
        pipeline.step();
        pipeline.step();
        int before = rig.handled.size();
        assertThat(before).isLessThan(old.size());
        long ready = stats().ready();
        pipeline.publish(rig.event("order.new").build());
        assertThat(stats().ready()).isEqualTo(ready + 1);
        pipeline.drain();
        assertThat(rig.handled).hasSize(old.size() + 1);
        assertThat(rig.handled.get(old.size())).isEqualTo("e" + (old.size() + 1));
    }

    @Test
    void names_without_handler_and_paused_names_are_left_to_the_store() {
        Pipeline pipeline = caughtUp(store);
        new HandPauses(rig.store.notes())
                .pause(new NamePause.ByHand(
                        new NamePattern("order.held"), "ann", "bank is down", rig.time.now(), Optional.empty()));
        rig.run(pipeline, Duration.ofSeconds(3), Duration.ofSeconds(1));
        pipeline.publish(List.of(
                rig.event("mail.sent").build(),
                rig.event("order.held").build(),
                rig.event("order.paid").build()));
        assertThat(stats().claimed()).isEqualTo(1);
        pipeline.drain();
        assertThat(rig.handled).containsExactly("e3");
        assertThat(stats().ready()).isEqualTo(2);
    }

    @Test
    void duplicates_and_failed_calls_give_their_room_back() {
        boolean[] fails = {false};
        HookedStore failing = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (fails[0] && name.equals("publish")) {
                    throw new StoreException("disk full");
                }
                return call.get();
            }
        };
        Pipeline pipeline = caughtUp(failing);
        Event known = rig.event("order.known").build();
        rig.store.publish(List.of(known), rig.time.now());
        for (int i = 0; i < 2 * HELD; i++) {
            assertThat(pipeline.publish(known).isDuplicate()).isTrue();
        }
        fails[0] = true;
        for (int i = 0; i < 2 * HELD; i++) {
            Event lost = rig.event("order.lost").build();
            assertThatThrownBy(() -> pipeline.publish(lost)).isInstanceOf(StoreException.class);
        }
        fails[0] = false;
        pipeline.publish(rig.events("order.paid", HELD));
        assertThat(stats().claimed()).isEqualTo(FOR_PUBLISHERS);
        pipeline.drain();
        assertThat(rig.handled).hasSize(HELD + 1);
    }

    @Test
    void a_call_with_too_many_bytes_is_claimed_in_part() {
        Pipeline pipeline = caughtUp(store);
        List<Event> large = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            large.add(rig.event("order.large").text("x".repeat(1_000_000)).build());
        }
        pipeline.publish(large);
        assertThat(stats().claimed()).as("claims of up to 16 MiB").isEqualTo(17);
        pipeline.drain();
        assertThat(rig.handled).hasSize(40);
    }

    @Test
    void a_claim_that_waited_longer_than_its_lease_is_given_back() {
        Pipeline pipeline = caughtUp(store);
        pipeline.publish(rig.event("order.paid").build());
        rig.time.advance(Profile.STANDARD.lease().plusSeconds(1));
        pipeline.drain();
        assertThat(rig.handled).containsExactly("e1");
        assertThat(rig.heard.done).hasSize(1);
        assertThat(rig.heard.stale).isEmpty();
        assertThat(store.claims).as("claimed again by a request").isNotEmpty();
    }

    @Test
    void a_stop_gives_back_claims_that_have_arrived() {
        Pipeline pipeline = caughtUp(store);
        pipeline.publish(rig.event("order.paid").build());
        pipeline.stop(Duration.ZERO);
        assertThat(rig.handled).isEmpty();
        assertThat(stats().ready()).isEqualTo(1);
        assertThat(stats().claimed()).isZero();
        pipeline.publish(rig.event("order.paid").build());
        assertThat(stats().ready()).as("a stopped pipeline claims nothing").isEqualTo(2);
    }

    @Test
    void a_publisher_gives_back_claims_that_arrive_after_the_stop() {
        Pipeline[] pipeline = new Pipeline[1];
        HookedStore stopping = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                T result = call.get();
                if (name.equals("publish")) {
                    pipeline[0].stop(Duration.ZERO);
                }
                return result;
            }
        };
        pipeline[0] = caughtUp(stopping);
        pipeline[0].publish(rig.event("order.paid").build());
        assertThat(stats().ready()).isEqualTo(1);
        assertThat(stats().claimed()).isZero();
    }

    @Test
    void a_publish_call_succeeds_although_its_claims_cannot_be_given_back() {
        Pipeline[] pipeline = new Pipeline[1];
        HookedStore broken = new HookedStore(rig.store) {
            private boolean isPublished;

            @Override
            <T> T around(String name, Supplier<T> call) {
                if (isPublished && name.equals("settle")) {
                    throw new StoreException("connection lost");
                }
                T result = call.get();
                if (name.equals("publish")) {
                    isPublished = true;
                    pipeline[0].stop(Duration.ZERO);
                }
                return result;
            }
        };
        pipeline[0] = caughtUp(broken);
        PublishResult result = pipeline[0].publish(rig.event("order.paid").build());
        assertThat(result).isEqualTo(PublishResult.ACCEPTED);
        assertThat(rig.heard.troubles)
                .extracting(trouble -> trouble.error().getMessage())
                .contains("connection lost");
        rig.time.advance(Profile.STANDARD.lease().plusSeconds(1));
        assertThat(rig.store.recover(rig.time.now())).isEqualTo(1);
    }

    @Test
    void a_running_pipeline_claims_events_while_they_are_published() throws Exception {
        CountDownLatch handled = new CountDownLatch(1_000);
        try (Pipeline pipeline =
                Pipeline.on(store).on("order.*", event -> handled.countDown()).start()) {
            for (int i = 0; i < 1_000; i++) {
                pipeline.publish(Event.named("order.paid")
                        .source("test")
                        .correlationId("c")
                        .build());
            }
            assertThat(handled.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(rig.store.stats(rig.time.now()).ready()).isZero();
        assertThat(rig.store.stats(rig.time.now()).claimed()).isZero();
    }
}
