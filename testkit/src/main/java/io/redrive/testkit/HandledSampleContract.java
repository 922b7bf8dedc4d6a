package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.HandledEvent;
import io.redrive.events.HandledSampleRecorder;
import io.redrive.events.HandledSamples;
import io.redrive.events.Priority;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.testkit.FaultyStore.Moment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The sample of handled events: bounded by name and number, and neither lost nor doubled by a failing call. */
interface HandledSampleContract extends StoreUnderTest {

    @Test
    default void a_handled_event_is_read_as_it_was_written_by_every_node() {
        StoreDriver on = open();
        Event event = Event.named("order.paid")
                .id("e-1")
                .correlationId("c-1")
                .source("shop")
                .priority(Priority.HIGH)
                .orderingKey("customer-7")
                .headers(Map.of("tenant", "\u001b[31mred", "empty", ""))
                .json("{\"total\": 12}")
                .time(on.time())
                .deadline(on.time().now().plusSeconds(60))
                .build();
        HandledEvent handled =
                HandledEvent.of(event, on.time().now(), "node-1", Optional.of(new ServiceVersion("2.4.1")));
        on.store().samples().add(List.of(handled));
        assertThat(joined(on).samples().newest("order.paid", 10)).containsExactly(handled);
        assertThat(joined(on).samples().newest("order.sent", 10)).isEmpty();
        assertThat(joined(on).samples().names(10)).containsExactly("order.paid");
    }

    @Test
    default void a_long_payload_is_cut_and_says_so_and_an_empty_one_stays_empty() {
        StoreDriver on = open();
        byte[] payload = "x".repeat(HandledEvent.MAX_PAYLOAD + 1).getBytes(StandardCharsets.UTF_8);
        HandledEvent cut = HandledEvent.of(
                event(on, "a", "order.paid").toBuilder()
                        .payload(payload, "text/plain")
                        .build(),
                on.time().now(),
                "node-1",
                Optional.empty());
        HandledEvent empty =
                HandledEvent.of(event(on, "b", "order.paid"), on.time().now(), "node-1", Optional.empty());
        on.store().samples().add(List.of(cut, empty));
        List<HandledEvent> read = joined(on).samples().newest("order.paid", 10);
        assertThat(read).containsExactly(empty, cut);
        assertThat(read).extracting(HandledEvent::isCut).containsExactly(false, true);
        assertThat(read).extracting(HandledEvent::payloadSize).containsExactly(0, payload.length);
    }

    @Test
    default void the_newest_events_of_a_name_stay_and_other_names_keep_theirs() {
        StoreDriver on = open();
        HandledSamples samples = on.store().samples();
        samples.add(List.of(handled(on, "other", "user.created", 0)));
        int most = HandledSamples.MAX_PER_NAME;
        samples.add(handled(on, "order.paid", 0, most));
        samples.add(handled(on, "order.paid", most, 7));
        assertThat(samples.newest("order.paid", most))
                .extracting(handled -> handled.event().id())
                .containsExactlyElementsOf(IntStream.range(0, most)
                        .mapToObj(i -> "e-" + (most + 6 - i))
                        .toList());
        assertThat(samples.newest("order.paid", 2))
                .extracting(handled -> handled.event().id())
                .containsExactly("e-" + (most + 6), "e-" + (most + 5));
        assertThat(samples.newest("user.created", 10)).hasSize(1);
    }

    @Test
    default void the_names_handled_last_stay() {
        StoreDriver on = open();
        HandledSamples samples = on.store().samples();
        samples.add(IntStream.range(0, HandledSamples.MAX_NAMES)
                .mapToObj(i -> handled(on, "e", "old.name-" + i, i))
                .toList());
        samples.add(List.of(handled(on, "e", "old.name-0", 5_000), handled(on, "e", "new.name", 5_001)));
        List<String> names = samples.names(HandledSamples.MAX_NAMES);
        assertThat(names).hasSize(HandledSamples.MAX_NAMES).isSorted().contains("new.name", "old.name-0");
        assertThat(names).doesNotContain("old.name-1");
        assertThat(samples.newest("old.name-1", 1)).isEmpty();
        assertThat(samples.newest("old.name-0", 10)).hasSize(2);
    }

    @Test
    default void events_expire_by_the_time_they_were_handled_in_small_steps() {
        StoreDriver on = open();
        HandledSamples samples = on.store().samples();
        for (String name : List.of("a.a", "b.b", "c.c")) {
            samples.add(handled(on, name, 0, HandledSamples.MAX_ADDED));
        }
        samples.add(List.of(handled(on, "late", "c.c", 9_000)));
        Instant before = at(on, 9_000);
        assertThat(samples.expire(at(on, 0))).isZero();
        assertThat(samples.expire(before)).isEqualTo(HandledSamples.EXPIRED_AT_ONCE);
        assertThat(samples.expire(before)).isEqualTo(3 * HandledSamples.MAX_ADDED - 1 - HandledSamples.EXPIRED_AT_ONCE);
        assertThat(samples.expire(before)).isZero();
        assertThat(samples.names(10)).containsExactly("c.c");
        assertThat(samples.newest("c.c", 10))
                .extracting(handled -> handled.event().id())
                .containsExactly("late");
    }

    @Test
    default void nodes_add_events_of_the_same_names_at_once() {
        StoreDriver on = open();
        Together.run(4, thread -> {
            HandledSamples mine = joined(on).samples();
            for (int i = 0; i < 5; i++) {
                List<HandledEvent> events = new ArrayList<>();
                for (int name = 0; name < 10; name++) {
                    int rotated = (name * 7 + thread) % 10;
                    events.add(handled(on, "e-" + thread + "-" + i, "order.n" + rotated, i));
                }
                mine.add(events);
            }
            return null;
        });
        for (int name = 0; name < 10; name++) {
            assertThat(on.store().samples().newest("order.n" + name, 100)).hasSize(20);
        }
    }

    @Test
    default void more_than_the_limits_is_refused() {
        StoreDriver on = open();
        HandledSamples samples = on.store().samples();
        assertThatThrownBy(() -> samples.add(handled(on, "order.paid", 0, HandledSamples.MAX_ADDED + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1000");
        assertThatThrownBy(() -> samples.newest("order.paid", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> samples.newest("order.paid", HandledSamples.MAX_PER_NAME + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> samples.names(0)).isInstanceOf(IllegalArgumentException.class);
        samples.add(List.of());
        assertThat(samples.names(10)).isEmpty();
    }

    @Test
    default void any_add_may_fail_before_it_took_effect_and_no_chosen_event_is_lost_or_doubled() {
        assertThat(failEachAdd(Moment.BEFORE)).isEqualTo(3);
    }

    @Test
    default void any_add_may_fail_after_it_took_effect_and_no_chosen_event_is_lost_or_doubled() {
        assertThat(failEachAdd(Moment.AFTER)).isEqualTo(3);
    }

    @Test
    default void a_crash_loses_only_the_chosen_events_that_were_not_written() {
        for (int written = 1; written <= 2; written++) {
            StoreDriver on = open();
            HandledSampleRecorder recorder = recorder();
            for (int minute = 0; minute < written; minute++) {
                recorder.handled(event(on, "e-" + minute, "order.paid"), at(on, 60 * minute));
                recorder.write(on.store().samples(), at(on, 60 * minute + 60));
            }
            recorder.handled(event(on, "lost", "order.paid"), at(on, 60 * written));
            EventStore after = reopened(on);
            assertThat(after.samples().newest("order.paid", 10)).hasSize(written);
        }
    }

    /** Returns the number of runs with a failing call. */
    private int failEachAdd(Moment moment) {
        for (int call = 1; call < FaultContract.MAX_CALLS; call++) {
            StoreDriver on = open();
            FaultyStore faulty = FaultyStore.failing(on.store(), call, moment);
            HandledSampleRecorder recorder = recorder();
            for (int minute = 0; minute < 3; minute++) {
                recorder.handled(event(on, "e-" + minute, "order.paid"), at(on, 60 * minute));
                recorder.handled(event(on, "f-" + minute, "order.sent"), at(on, 60 * minute));
                write(recorder, faulty, at(on, 60 * minute + 60));
            }
            write(recorder, faulty, at(on, 300));
            write(recorder, faulty, at(on, 300));
            assertThat(on.store().samples().newest("order.paid", 10))
                    .extracting(handled -> handled.event().id())
                    .containsExactly("e-2", "e-1", "e-0");
            assertThat(on.store().samples().newest("order.sent", 10)).hasSize(3);
            if (!faulty.hasFailed()) {
                return call - 1;
            }
        }
        throw new AssertionError("the recorder makes more than " + FaultContract.MAX_CALLS + " calls");
    }

    private static void write(HandledSampleRecorder recorder, EventStore store, Instant now) {
        try {
            recorder.write(store.samples(), now);
        } catch (FaultyStore.Fault fault) {
            // The choice stays in the recorder; the next call writes it.
        }
    }

    private static HandledSampleRecorder recorder() {
        return new HandledSampleRecorder("node-1", Optional.empty(), UnaryOperator.identity(), new SplittableRandom(1));
    }

    private static List<HandledEvent> handled(StoreDriver on, String name, int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> handled(on, "e-" + i, name, i))
                .toList();
    }

    private static HandledEvent handled(StoreDriver on, String id, String name, int second) {
        return HandledEvent.of(event(on, id, name), at(on, second), "node-1", Optional.empty());
    }

    private static Instant at(StoreDriver on, int second) {
        return on.time().now().plus(Duration.ofSeconds(second));
    }

    private static Event event(StoreDriver on, String id, String name) {
        return Event.named(name).id(id).source("shop").time(on.time()).build();
    }
}
