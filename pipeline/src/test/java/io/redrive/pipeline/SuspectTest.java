package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Events whose processes died: which events run together, which run alone, and which become poison. */
class SuspectTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    /** All events are claimed by a process that dies, as often as told. */
    private void crash(int times) {
        for (int crash = 1; crash <= times; crash++) {
            for (Lane lane : Lane.values()) {
                rig.store.claim(new ClaimRequest(
                        "gone-" + crash, lane, 1_000, false, Profile.STANDARD.lease(), rig.time.now()));
            }
            rig.time.advance(Duration.ofMinutes(1));
            rig.store.recover(rig.time.now());
        }
    }

    private Event event(Priority priority) {
        return rig.event("order.paid").priority(priority).build();
    }

    @Test
    void after_two_crashes_events_keep_their_priority_and_run_at_the_same_time_each_by_itself() {
        QueuedExecutor tasks = new QueuedExecutor();
        List<Integer> batches = new ArrayList<>();
        Pipeline pipeline = rig.pipeline()
                .executor(tasks)
                .onBatch("*", batch -> batches.add(batch.events().size()))
                .build();
        for (int i = 0; i < 6; i++) {
            pipeline.publish(event(i < 4 ? Priority.NORMAL : Priority.CRITICAL));
        }
        crash(2);
        pipeline.drain();
        assertThat(rig.stats().claimed()).isEqualTo(6);
        tasks.runAll();
        assertThat(batches).containsExactly(1, 1, 1, 1, 1, 1);
    }

    @Test
    void suspects_are_handled_by_priority_with_nothing_beside_them() {
        List<Priority> order = List.of(Priority.LOW, Priority.CRITICAL, Priority.NORMAL, Priority.HIGH);
        order.forEach(priority -> rig.store.publish(List.of(event(priority)), rig.time.now()));
        crash(3);
        List<Priority> handled = new ArrayList<>();
        List<Long> held = new ArrayList<>();
        Pipeline pipeline = rig.pipeline()
                .on("order.paid", event -> {
                    handled.add(event.priority());
                    held.add(rig.stats().claimed());
                })
                .on("order.sent", event -> {})
                .build();
        pipeline.publish(rig.events("order.sent", 30));
        rig.run(pipeline, Duration.ofSeconds(10), SECOND);
        assertThat(rig.heard.done).hasSize(34);
        assertThat(handled).containsExactly(Priority.CRITICAL, Priority.HIGH, Priority.NORMAL, Priority.LOW);
        assertThat(held).containsExactly(1L, 1L, 1L, 1L);
    }

    @Test
    void while_a_suspect_runs_no_other_event_is_claimed() {
        rig.store.publish(List.of(event(Priority.NORMAL)), rig.time.now());
        crash(3);
        QueuedExecutor tasks = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline().executor(tasks).on("*", event -> {}).build();
        pipeline.drain();
        pipeline.publish(rig.events("order.sent", 3));
        rig.run(pipeline, Duration.ofSeconds(60), SECOND);
        assertThat(rig.stats().claimed()).isEqualTo(1);
        assertThat(rig.stats().ready()).isEqualTo(3);
        tasks.runAll();
        pipeline.drain();
        assertThat(rig.stats().claimed()).isEqualTo(3);
    }

    @Test
    void a_suspect_waits_for_its_neighbours_but_no_longer_than_a_lease() {
        QueuedExecutor tasks = new QueuedExecutor();
        rig.store.publish(List.of(event(Priority.NORMAL)), rig.time.now());
        crash(3);
        Pipeline pipeline = rig.pipeline().executor(tasks).on("*", event -> {}).build();
        pipeline.publish(rig.events("order.stuck", 1));
        pipeline.drain();
        assertThat(rig.stats().claimed()).isEqualTo(2);
        rig.run(pipeline, Profile.STANDARD.lease().minusSeconds(1), SECOND);
        assertThat(tasks.waiting).as("the neighbour alone").hasSize(1);
        rig.run(pipeline, Duration.ofSeconds(3), SECOND);
        assertThat(tasks.waiting).as("the suspect begins beside the neighbour").hasSize(2);
    }

    @Test
    void a_clock_set_back_does_not_prolong_the_wait_of_a_suspect() {
        QueuedExecutor tasks = new QueuedExecutor();
        rig.store.publish(List.of(event(Priority.NORMAL)), rig.time.now());
        crash(3);
        Pipeline pipeline = rig.pipeline().executor(tasks).on("*", event -> {}).build();
        pipeline.publish(rig.events("order.stuck", 1));
        pipeline.drain();
        rig.time.jump(Duration.ofHours(-1));
        pipeline.drain();
        assertThat(tasks.waiting).hasSize(2);
    }

    @Test
    void the_event_that_kills_its_process_ends_as_poison_and_its_neighbours_are_done() {
        List<Event> events = rig.events("order.paid", 60);
        String killer = events.get(17).id();
        List<Integer> deaths = new ArrayList<>();
        Set<String> done = livesOf(rig, events, Set.of(killer), deaths, 10);
        assertThat(deaths).containsExactly(1, 2, 3, 4);
        DeadLetter letter = rig.onlyLetter();
        assertThat(letter.event().id()).isEqualTo(killer);
        assertThat(letter.reason()).isEqualTo(Reason.POISON);
        assertThat(letter.attempts().crashed()).isEqualTo(4);
        assertThat(letter.lastError()).startsWith("its process died 4 times while handling it");
        assertThat(done).hasSize(59);
    }

    @Test
    void however_many_events_kill_their_process_no_innocent_event_becomes_poison() {
        for (long seed = 1; seed <= 25; seed++) {
            Rig fresh = new Rig();
            SplittableRandom random = new SplittableRandom(seed);
            List<Event> events = new ArrayList<>();
            Set<String> killers = new TreeSet<>();
            for (int i = 0; i < 30; i++) {
                Priority priority = Priority.values()[random.nextInt(4)];
                Event event = fresh.event("order.paid").priority(priority).build();
                events.add(event);
                if (random.nextInt(6) == 0) {
                    killers.add(event.id());
                }
            }
            Set<String> done = livesOf(fresh, events, killers, new ArrayList<>(), 200);
            assertThat(fresh.letters())
                    .as("seed " + seed)
                    .allMatch(letter -> letter.reason() == Reason.POISON)
                    .extracting(letter -> letter.event().id())
                    .containsExactlyInAnyOrderElementsOf(killers);
            assertThat(done).as("seed " + seed).hasSize(30 - killers.size());
        }
    }

    /** One process after the other, until all events have ended. Returns the ids of the events that were handled. */
    private static Set<String> livesOf(
            Rig rig, List<Event> events, Set<String> killers, List<Integer> deaths, int mostLives) {
        rig.store.publish(events, rig.time.now());
        Set<String> done = new HashSet<>();
        for (int life = 1; life <= mostLives && left(rig) > 0; life++) {
            MortalProcess process = new MortalProcess(rig);
            int now = life;
            Pipeline pipeline = rig.pipelineOn(process)
                    .node("life-" + life)
                    .on("*", event -> {
                        if (process.dead) {
                            return;
                        }
                        if (killers.contains(event.id())) {
                            deaths.add(now);
                            process.dead = true;
                        } else {
                            done.add(event.id());
                        }
                    })
                    .build();
            process.live(pipeline);
            rig.time.advance(Duration.ofMinutes(1));
        }
        assertThat(left(rig)).isZero();
        return done;
    }

    private static long left(Rig rig) {
        return rig.stats().ready() + rig.stats().delayed() + rig.stats().claimed();
    }

    /** No call of a dead process reaches the store. */
    private static final class MortalProcess extends HookedStore {
        private final Rig rig;
        private boolean dead;

        MortalProcess(Rig rig) {
            super(rig.store);
            this.rig = rig;
        }

        @Override
        <T> T around(String name, Supplier<T> call) {
            if (dead) {
                throw new IllegalStateException("dead");
            }
            return call.get();
        }

        private void live(Pipeline pipeline) {
            for (int seconds = 0; seconds < 30 && !dead && left(rig) > 0; seconds++) {
                try {
                    pipeline.drain();
                } catch (IllegalStateException e) {
                    assertThat(dead).isTrue();
                }
                rig.time.advance(SECOND);
            }
        }
    }
}
