package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimerTest {

    private static final Profile SMALL = new Profile(
            Duration.ofSeconds(1), 4, 2, 2, 6, batches(1, 2), batches(1, 3), ofSeconds(25), ofSeconds(20), 3);

    private final Rig rig = new Rig();
    private final QueuedExecutor executor = new QueuedExecutor();
    private final HookedStore store = new HookedStore(rig.store);

    private static BatcherSettings batches(int handlers, int size) {
        return new BatcherSettings(handlers, size, ofSeconds(2));
    }

    private static Duration ofSeconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    private Pipeline pipeline(Profile profile) {
        return rig.pipelineOn(store)
                .profile(profile)
                .executor(executor)
                .on("*", event -> rig.handled.add(event.name()))
                .build();
    }

    private List<ClaimRequest> claimsOf(Lane lane) {
        return store.claims.stream().filter(request -> request.lane() == lane).toList();
    }

    @Test
    void never_holds_more_events_of_a_lane_than_its_capacity() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.publish(rig.events("order.paid", 100));
        pipeline.drain();
        assertThat(rig.stats().claimed()).isEqualTo(SMALL.capacity(Lane.DOMAIN)).isEqualTo(12);
        while (rig.handled.size() < 100) {
            executor.runNext();
            pipeline.drain();
            assertThat(rig.stats().claimed()).isLessThanOrEqualTo(12);
        }
    }

    @Test
    void a_full_critical_lane_leaves_the_capacity_of_the_domain_lane_alone() {
        Pipeline pipeline = pipeline(SMALL);
        List<Event> urgent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            urgent.add(rig.event("order.urgent").priority(Priority.CRITICAL).build());
        }
        pipeline.publish(urgent);
        pipeline.publish(rig.events("order.paid", 50));
        pipeline.drain();
        assertThat(rig.stats().claimed()).isEqualTo(SMALL.capacity(Lane.CRITICAL) + SMALL.capacity(Lane.DOMAIN));
    }

    @Test
    void asks_for_no_more_than_the_claim_size_at_once() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.publish(rig.events("order.paid", 100));
        pipeline.drain();
        assertThat(claimsOf(Lane.DOMAIN)).extracting(ClaimRequest::demand).containsExactly(4, 4, 4);
    }

    @Test
    void asks_again_once_there_is_room_for_a_whole_claim_or_little_is_left() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.publish(rig.events("order.paid", 100));
        pipeline.drain();
        store.claims.clear();
        executor.runNext();
        pipeline.drain();
        // 12 held - 2 settled = 10 left: room for 2, less than a claim of 4, and more than the 4 at which to refill.
        assertThat(claimsOf(Lane.DOMAIN)).isEmpty();
        // 2 events ended since the last step, so 2 more wait for the next task: 6 left, room for one claim of 4.
        executor.runNext();
        pipeline.drain();
        assertThat(claimsOf(Lane.DOMAIN)).extracting(ClaimRequest::demand).containsExactly(4);
        store.claims.clear();
        // 10 held - 6 = 4 left.
        executor.runNext();
        pipeline.drain();
        assertThat(claimsOf(Lane.DOMAIN)).extracting(ClaimRequest::demand).containsExactly(4, 4);
    }

    @Test
    void a_dry_lane_is_not_asked_again_before_the_poll() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.drain();
        store.claims.clear();
        rig.time.advance(Duration.ofMillis(999));
        pipeline.drain();
        assertThat(store.claims).isEmpty();
        rig.time.advance(Duration.ofMillis(1));
        pipeline.drain();
        assertThat(store.claims).extracting(ClaimRequest::lane).containsExactly(Lane.values());
    }

    @Test
    void a_publish_wakes_a_dry_lane_at_once() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.drain();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.step();
        assertThat(executor.waiting).hasSize(1);
    }

    @Test
    void the_poll_finds_what_another_process_published() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.drain();
        rig.store.publish(List.of(rig.event("order.paid").due(rig.time.now()).build()), rig.time.now());
        pipeline.drain();
        executor.runAll();
        pipeline.drain();
        // A delayed event: no publisher announces the due time.
        pipeline.publish(rig.event("order.late").delay(Duration.ofMillis(1_500)).build());
        pipeline.drain();
        rig.run(pipeline, ofSeconds(2), ofSeconds(1));
        assertThat(executor.waiting).hasSize(1);
    }

    @Test
    void a_retry_is_claimed_when_it_is_due_and_not_at_the_next_poll() {
        Pipeline pipeline = retryingAfter(Duration.ofMillis(10)).build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.time.advance(Duration.ofMillis(9));
        pipeline.drain();
        assertThat(rig.handled).hasSize(1);
        rig.time.advance(Duration.ofMillis(1));
        pipeline.drain();
        assertThat(rig.handled).hasSize(2);
    }

    @Test
    void a_retry_is_claimed_when_it_is_due_also_when_a_poll_comes_before() {
        Pipeline pipeline = retryingAfter(Duration.ofMillis(2_300)).build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofMillis(2_200), Duration.ofMillis(100));
        assertThat(rig.handled).hasSize(1);
        rig.run(pipeline, Duration.ofMillis(100), Duration.ofMillis(100));
        assertThat(rig.handled).hasSize(2);
    }

    @Test
    void a_retry_is_claimed_when_it_is_due_by_the_clock_of_a_store_that_takes_its_time() {
        QueuedExecutor exchanges = new QueuedExecutor();
        HookedStore ownClock = new HookedStore(rig.store) {
            @Override
            public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant asked) {
                Instant now = rig.time.now();
                Duration passed = Duration.between(asked, now);
                List<Settlement> moved = settlements.stream()
                        .map(each -> each instanceof Settlement.Retry retry
                                ? new Settlement.Retry(
                                        retry.claim(), retry.due().plus(passed), retry.delay(), retry.attempt())
                                : each)
                        .toList();
                List<ClaimRequest> later = requests.stream()
                        .map(each -> new ClaimRequest(
                                each.node(), each.lane(), each.demand(), each.lowestFirst(), each.lease(), now))
                        .toList();
                return super.exchange(moved, later, now);
            }
        };
        Pipeline pipeline = retryingAfter(Duration.ofMillis(10), ownClock)
                .exchangeExecutor(exchanges)
                .build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.step();
        exchanges.runAll();
        pipeline.step();
        pipeline.step();
        // The settlement takes 5 ms, the claims no time.
        rig.time.advance(Duration.ofMillis(5));
        for (int millis = 0; millis < 20; millis++) {
            exchanges.runAll();
            while (pipeline.step()) {
                exchanges.runAll();
            }
            rig.time.advance(Duration.ofMillis(1));
        }
        assertThat(rig.handled).hasSize(2);
    }

    private Pipeline.Builder retryingAfter(Duration delay) {
        return retryingAfter(delay, store);
    }

    private Pipeline.Builder retryingAfter(Duration delay, EventStore on) {
        return rig.pipelineOn(on)
                .policies(EventPolicies.defaults()
                        .with(
                                "*",
                                Rig.attempts(2).toBuilder()
                                        .backoff(Backoff.fixed(delay))
                                        .build()))
                .handle("*", event -> {
                    rig.handled.add(event.name());
                    return Outcome.retry("not yet");
                });
    }

    @Test
    void the_due_times_that_are_remembered_are_bounded() {
        ImmediateClaims immediate = new ImmediateClaims(rig.store, "node", SMALL.lease(), () -> {}, e -> {});
        Claimer claimer = new Claimer("node", SMALL, LaneSizes.of(SMALL), new InFlight(), immediate, ClaimFilter.ALL);
        Instant now = rig.time.now();
        claimer.look(now);
        for (int i = 2 * Claimer.MAX_KNOWN_DUE; i > 0; i--) {
            claimer.expect(now.plusMillis(i));
        }
        assertThat(claimer.nextLook()).isEqualTo(now.plusMillis(1));
        long wakes = claimer.wakes();
        claimer.look(now.plus(Duration.ofHours(1)));
        assertThat(claimer.wakes() - wakes).isLessThanOrEqualTo(Claimer.MAX_KNOWN_DUE + 1);
    }

    @Test
    void a_lane_that_gives_all_claims_offers_room_to_publishers_only_when_its_last_claim_has_just_become_due() {
        assertThat(isClaimedAtOnceAfterAnswer(Duration.ZERO)).isTrue();
        assertThat(isClaimedAtOnceAfterAnswer(Claimer.OVERTAKEN.minusMillis(1))).isTrue();
        assertThat(isClaimedAtOnceAfterAnswer(Claimer.OVERTAKEN)).isFalse();
        assertThat(isClaimedAtOnceAfterAnswer(Duration.ofMillis(-1)))
                .as("due in the future, by the clock of another publisher")
                .isFalse();
    }

    /** Returns whether an event is claimed at once after two full answers, the last claim of which was due so long ago. */
    private boolean isClaimedAtOnceAfterAnswer(Duration dueAgo) {
        ImmediateClaims immediate = new ImmediateClaims(rig.store, "node", SMALL.lease(), () -> {}, e -> {});
        immediate.open();
        Claimer claimer = new Claimer("node", SMALL, LaneSizes.of(SMALL), new InFlight(), immediate, ClaimFilter.ALL);
        Instant now = rig.time.now();
        claimer.look(now);
        Event old = rig.event("order.old").due(now.minus(Duration.ofHours(1))).build();
        Event last = rig.event("order.old").due(now.minus(dueAgo)).build();
        List<Claim> claims = List.of(claim(old, 1), claim(old, 2), claim(old, 3), claim(last, 4));
        List<ClaimRequest> requests = claimer.requests(now).stream()
                .filter(request -> request.lane() == Lane.DOMAIN)
                .toList();
        claimer.claimed(requests, claims, true);
        claimer.claimed(requests, claims, true);
        claimer.offerRoom(false);
        long before = rig.stats().claimed();
        immediate.publish(List.of(rig.event("order.new").build()), now);
        return rig.stats().claimed() > before;
    }

    private static Claim claim(Event event, long position) {
        return new Claim(event, position, 1, Attempts.NONE, event.due(), Duration.ZERO, 0);
    }

    @Test
    void a_clock_set_back_an_hour_does_not_silence_the_poll() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.drain();
        store.claims.clear();
        rig.time.jump(Duration.ofHours(-1));
        rig.time.advance(ofSeconds(1));
        pipeline.drain();
        assertThat(store.claims).isNotEmpty();
    }

    @Test
    void low_priority_is_handled_while_a_flood_of_normal_goes_on() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.publish(rig.event("order.low").priority(Priority.LOW).build());
        for (int i = 0; i < 60 && !rig.handled.contains("order.low"); i++) {
            pipeline.publish(rig.events("order.paid", 12));
            pipeline.step();
            executor.runAll();
        }
        assertThat(rig.handled).contains("order.low");
        assertThat(rig.stats().ready()).as("the flood is still on").isPositive();
    }

    @Test
    void high_priority_is_handled_while_a_flood_of_critical_goes_on() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.publish(rig.event("order.high").priority(Priority.HIGH).build());
        for (int i = 0; i < 60 && !rig.handled.contains("order.high"); i++) {
            for (int k = 0; k < 12; k++) {
                pipeline.publish(
                        rig.event("order.urgent").priority(Priority.CRITICAL).build());
            }
            pipeline.step();
            executor.runAll();
        }
        assertThat(rig.handled).contains("order.high");
        assertThat(rig.stats().ready()).as("the flood is still on").isPositive();
    }

    @Test
    void every_lane_asks_for_its_lowest_priority_first_in_one_claim_of_five() {
        Pipeline pipeline = pipeline(SMALL);
        for (int i = 0; i < 30; i++) {
            pipeline.drain();
            // Two lanes are asked more often than the third.
            if (i % 2 == 0) {
                rig.time.advance(ofSeconds(1));
            } else {
                pipeline.publish(rig.event("order.paid").build());
            }
        }
        for (Lane lane : Lane.values()) {
            List<ClaimRequest> claims = claimsOf(lane);
            long lowestFirst = claims.stream().filter(ClaimRequest::lowestFirst).count();
            assertThat(lowestFirst).as("%s of %d", lane, claims.size()).isEqualTo(claims.size() / 5);
        }
    }

    @Test
    void an_event_claimed_again_while_its_first_handler_is_still_busy_does_not_eat_capacity_for_ever() {
        Pipeline pipeline = pipeline(SMALL);
        pipeline.publish(rig.event("order.slow").build());
        pipeline.drain();
        // This node stalled: another node finds the lease expired, and this node claims the event again.
        rig.time.advance(ofSeconds(26));
        rig.store.recover(rig.time.now());
        pipeline.drain();
        executor.runAll();
        pipeline.drain();
        assertThat(rig.heard.stale).hasSize(1);
        pipeline.publish(rig.events("order.paid", 100));
        long most = 0;
        // Few events are claimed at first, because the last claim may have killed a process.
        while (rig.handled.size() < 100) {
            pipeline.drain();
            most = Math.max(most, rig.stats().claimed());
            executor.runAll();
        }
        assertThat(most).isEqualTo(SMALL.capacity(Lane.DOMAIN));
    }
}
