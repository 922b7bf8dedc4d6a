package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatcherTest {

    private static final Handlers.Registration HANDLER =
            new Handlers.Registration.Single(new NamePattern("*"), (event, context) -> Outcome.done());
    private static final Profile PROFILE = Profile.STANDARD
            .withCritical(new BatcherSettings(1, 2, Duration.ofMillis(500)))
            .withDomain(new BatcherSettings(1, 3, Duration.ofSeconds(2)));

    private final ManualTime time = new ManualTime();
    private final Batcher batcher = new Batcher(PROFILE);
    private long positions;

    private static Batch.Key key(Lane lane, String source) {
        return new Batch.Key(lane, HANDLER, source);
    }

    private long add(Batch.Key key) {
        Event event = Event.named("order.paid").source(key.source()).time(time).build();
        Claim claim = new Claim(event, ++positions, 1, Attempts.NONE, time.now(), Duration.ZERO, 0);
        batcher.add(key, claim, time.now());
        return claim.position();
    }

    private Optional<Batch> next(Lane lane, boolean moreToCome) {
        return batcher.next(lane, time.now(), Integer.MAX_VALUE, moreToCome);
    }

    private static List<Long> positions(Optional<Batch> batch) {
        return batch.orElseThrow().claims().stream().map(Claim::position).toList();
    }

    @Test
    void a_batch_waits_while_more_is_to_come() {
        add(key(Lane.DOMAIN, "a"));
        assertThat(next(Lane.DOMAIN, true)).isEmpty();
    }

    /** The batcher remembers the list of the last key, which is not in its map after the last claim left. */
    @Test
    void a_claim_of_the_last_key_is_not_lost_after_the_batch_of_the_key_left_or_was_taken_back() {
        Batch.Key key = key(Lane.DOMAIN, "a");
        add(key);
        next(Lane.DOMAIN, false);
        long later = add(key);
        assertThat(positions(next(Lane.DOMAIN, false))).containsExactly(later);
        add(key);
        assertThat(batcher.clear()).hasSize(1);
        long last = add(key);
        assertThat(positions(next(Lane.DOMAIN, false))).containsExactly(last);
    }

    @Test
    void a_full_batch_leaves_at_once_in_the_order_of_arrival() {
        List<Long> added = List.of(add(key(Lane.DOMAIN, "a")), add(key(Lane.DOMAIN, "a")), add(key(Lane.DOMAIN, "a")));
        assertThat(positions(next(Lane.DOMAIN, true))).isEqualTo(added);
    }

    @Test
    void an_incomplete_batch_leaves_when_it_has_waited_its_time() {
        long added = add(key(Lane.DOMAIN, "a"));
        time.advance(Duration.ofMillis(1_999));
        assertThat(next(Lane.DOMAIN, true)).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(positions(next(Lane.DOMAIN, true))).containsExactly(added);
    }

    @Test
    void an_incomplete_batch_leaves_at_once_when_nothing_more_is_to_come() {
        long added = add(key(Lane.DOMAIN, "a"));
        assertThat(positions(next(Lane.DOMAIN, false))).containsExactly(added);
    }

    @Test
    void each_lane_has_its_own_size_and_time() {
        add(key(Lane.CRITICAL, "a"));
        add(key(Lane.DOMAIN, "a"));
        time.advance(Duration.ofMillis(500));
        assertThat(next(Lane.DOMAIN, true)).isEmpty();
        assertThat(next(Lane.CRITICAL, true)).isPresent();
        add(key(Lane.CRITICAL, "a"));
        add(key(Lane.CRITICAL, "a"));
        assertThat(next(Lane.CRITICAL, true).orElseThrow().claims()).hasSize(2);
    }

    @Test
    void sources_are_never_mixed() {
        add(key(Lane.DOMAIN, "a"));
        add(key(Lane.DOMAIN, "b"));
        add(key(Lane.DOMAIN, "a"));
        assertThat(next(Lane.DOMAIN, true)).isEmpty();
        assertThat(positions(next(Lane.DOMAIN, false))).containsExactly(1L, 3L);
    }

    @Test
    void handlers_are_never_mixed() {
        Handlers.Registration other =
                new Handlers.Registration.Single(new NamePattern("order.*"), (event, context) -> Outcome.done());
        add(key(Lane.DOMAIN, "a"));
        add(new Batch.Key(Lane.DOMAIN, other, "a"));
        assertThat(positions(next(Lane.DOMAIN, false))).containsExactly(1L);
    }

    @Test
    void a_source_that_always_has_a_full_batch_does_not_hold_up_other_sources() {
        for (int i = 0; i < 6; i++) {
            add(key(Lane.DOMAIN, "flood"));
        }
        long rare = add(key(Lane.DOMAIN, "rare"));
        time.advance(Duration.ofSeconds(2));
        assertThat(next(Lane.DOMAIN, true).orElseThrow().key().source()).isEqualTo("flood");
        assertThat(positions(next(Lane.DOMAIN, true))).containsExactly(rare);
    }

    @Test
    void events_left_of_a_batch_have_waited_since_their_arrival() {
        add(key(Lane.DOMAIN, "a"));
        add(key(Lane.DOMAIN, "a"));
        add(key(Lane.DOMAIN, "a"));
        time.advance(Duration.ofSeconds(1));
        add(key(Lane.DOMAIN, "a"));
        next(Lane.DOMAIN, true);
        Instant due = time.now().plusSeconds(2);
        assertThat(batcher.nextTimeout(lane -> true)).contains(due);
    }

    @Test
    void a_clock_set_back_does_not_make_a_batch_wait_for_an_hour() {
        add(key(Lane.DOMAIN, "a"));
        time.jump(Duration.ofHours(-1));
        assertThat(next(Lane.DOMAIN, true)).isPresent();
    }

    @Test
    void the_next_timeout_is_that_of_the_oldest_batch_among_the_lanes_asked_for() {
        Instant now = time.now();
        add(key(Lane.DOMAIN, "a"));
        add(key(Lane.CRITICAL, "a"));
        assertThat(batcher.nextTimeout(lane -> true)).contains(now.plusMillis(500));
        assertThat(batcher.nextTimeout(lane -> lane == Lane.DOMAIN)).contains(now.plusSeconds(2));
        assertThat(batcher.nextTimeout(lane -> false)).isEmpty();
    }

    @Test
    void every_claim_leaves_exactly_once_in_order_and_never_more_than_a_batch_at_a_time() {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Batcher batches = new Batcher(PROFILE);
            List<Long> in = new ArrayList<>();
            List<Long> out = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                if (random.nextInt(3) > 0) {
                    Lane lane = Lane.values()[random.nextInt(3)];
                    Event event = Event.named("order.paid")
                            .id("e" + i)
                            .source("s" + random.nextInt(4))
                            .time(time)
                            .build();
                    Claim claim = new Claim(event, i, 1, Attempts.NONE, time.now(), Duration.ZERO, 0);
                    batches.add(key(lane, event.source()), claim, time.now());
                    in.add((long) i);
                } else {
                    leave(batches, random, out, seed);
                }
                time.advance(Duration.ofMillis(random.nextInt(700)));
            }
            batches.clear().forEach(claim -> out.add(claim.position()));
            assertThat(out).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(in);
            assertThat(batches.clear()).as("seed %d", seed).isEmpty();
        }
    }

    private void leave(Batcher batches, SplittableRandom random, List<Long> out, long seed) {
        Lane lane = Lane.values()[random.nextInt(3)];
        batches.next(lane, time.now(), Integer.MAX_VALUE, random.nextBoolean()).ifPresent(batch -> {
            assertThat(batch.lane()).isEqualTo(lane);
            List<Long> leaving = batch.claims().stream().map(Claim::position).toList();
            assertThat(leaving)
                    .as("seed %d", seed)
                    .hasSizeBetween(1, PROFILE.batcher(lane).size())
                    .isSorted();
            out.addAll(leaving);
        });
    }
}
