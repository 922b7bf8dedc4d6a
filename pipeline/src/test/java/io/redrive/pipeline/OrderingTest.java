package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.Priority;
import io.redrive.events.RedriveRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events with the same ordering key are handled one after the other, in the order of publishing. */
class OrderingTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    private Event keyed(String key, String id) {
        return rig.event("order.paid").id(id).orderingKey(key).build();
    }

    private Pipeline failingOnce(Set<String> flaky) {
        Set<String> failed = new HashSet<>();
        return rig.pipeline()
                .on("*", event -> {
                    rig.handled.add(event.id());
                    if (flaky.contains(event.id()) && failed.add(event.id())) {
                        throw new IOException("down");
                    }
                })
                .build();
    }

    @Test
    void events_of_one_key_are_handled_in_the_order_of_publishing_whatever_their_priority() {
        Pipeline pipeline = failingOnce(Set.of());
        pipeline.publish(List.of(
                keyed("k", "a"),
                rig.event("order.paid")
                        .id("b")
                        .orderingKey("k")
                        .priority(Priority.CRITICAL)
                        .build(),
                keyed("k", "c")));
        pipeline.drain();
        assertThat(rig.handled).containsExactly("a", "b", "c");
    }

    @Test
    void while_an_event_waits_for_its_retry_only_its_key_waits() {
        Pipeline pipeline = failingOnce(Set.of("a1"));
        pipeline.publish(List.of(keyed("a", "a1"), keyed("a", "a2"), keyed("b", "b1"), keyed("b", "b2")));
        pipeline.drain();
        assertThat(rig.handled).containsExactly("a1", "b1", "b2");
        rig.run(pipeline, SECOND, SECOND);
        assertThat(rig.handled).containsExactly("a1", "b1", "b2", "a1", "a2");
    }

    @Test
    void a_dead_letter_lets_the_next_of_its_key_pass() {
        Pipeline pipeline = rig.pipeline()
                .handle("*", event -> {
                    rig.handled.add(event.id());
                    return event.id().equals("a") ? Outcome.dead("no") : Outcome.done();
                })
                .build();
        pipeline.publish(List.of(keyed("k", "a"), keyed("k", "b")));
        pipeline.drain();
        assertThat(rig.handled).containsExactly("a", "b");
    }

    @Test
    void two_events_of_one_key_are_never_claimed_at_the_same_time() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .executor(busy)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(List.of(keyed("k", "a"), keyed("k", "b"), keyed("k", "c")));
        for (int i = 1; i <= 3; i++) {
            pipeline.drain();
            assertThat(rig.stats().claimed()).isEqualTo(1);
            busy.runAll();
        }
        assertThat(rig.handled).containsExactly("a", "b", "c");
    }

    @Test
    void redriven_letters_of_one_key_come_back_in_order() {
        boolean[] broken = {true};
        Pipeline pipeline = rig.pipeline()
                .handle("*", event -> {
                    rig.handled.add(event.id());
                    return broken[0] ? Outcome.dead("no") : Outcome.done();
                })
                .build();
        pipeline.publish(List.of(keyed("k", "a"), keyed("k", "b"), keyed("k", "c")));
        pipeline.drain();
        rig.handled.clear();
        broken[0] = false;
        rig.store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "b1", "ann", false, rig.time.now()));
        rig.run(pipeline, SECOND, SECOND);
        assertThat(rig.handled).containsExactly("a", "b", "c");
    }
}
