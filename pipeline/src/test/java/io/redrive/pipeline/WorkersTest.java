package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.Settlement;
import io.redrive.events.activity.ActivityRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkersTest {

    private static final Profile TWO = new Profile(
            Duration.ofSeconds(1),
            50,
            2,
            5,
            20,
            new BatcherSettings(2, 10, Duration.ofSeconds(1)),
            new BatcherSettings(2, 10, Duration.ofSeconds(1)),
            Duration.ofSeconds(25),
            Duration.ofSeconds(20),
            3);

    private final ManualTime time = new ManualTime();
    private final QueuedExecutor executor = new QueuedExecutor();
    private final List<String> handled = new ArrayList<>();
    private final Heard heard = new Heard();
    private final AtomicInteger wakes = new AtomicInteger();
    private ContextAction action = (event, context) -> handled.add(event.id());
    private final Workers workers = workers(executor);

    private Workers workers(Executor threads) {
        return new Workers(
                HandlerThreads.of(threads),
                TWO,
                new Environment(time, new Random(1), new Listeners(List.of(heard)), new ActivityRecorder("node")),
                new Workers.AttemptSteps(
                        AttemptInterceptor.NONE,
                        new Validators(),
                        new Settler(
                                new NodeIdentity("node", "service", Optional.empty()),
                                new Random(1),
                                EventPolicies.defaults(),
                                LetterRules.NONE)),
                new Ownership(time, TWO.lease()),
                wakes::incrementAndGet);
    }

    private Claim claim(String id) {
        Event event = Event.named("order.paid").source("test").id(id).build();
        return new Claim(event, 1, 1, Attempts.NONE, time.now(), Duration.ZERO, 0);
    }

    private Batch events(String... ids) {
        Handlers.Registration by = new Handlers.Registration.Single(new NamePattern("*"), (event, context) -> {
            action.handle(event, context);
            return Outcome.done();
        });
        return new Batch(
                new Batch.Key(Lane.DOMAIN, by, "test"),
                Arrays.stream(ids).map(this::claim).toList());
    }

    private Batch batch(String id) {
        Handlers.Registration by = new Handlers.Registration.Batched(
                new NamePattern("*"), events -> events.events().forEach(event -> handled.add(event.id())));
        return new Batch(new Batch.Key(Lane.DOMAIN, by, "test"), List.of(claim(id)));
    }

    @Test
    void a_task_that_finds_more_work_behind_its_first_starts_the_next_before_it_begins() {
        List<Integer> started = new ArrayList<>();
        action = (event, context) -> started.add(executor.waiting.size());
        workers.startEach(events("a", "b", "c"));
        assertThat(executor.waiting).hasSize(1);
        executor.runNext();
        assertThat(started).as("one more task waits, and never two").containsExactly(1, 1, 1);
    }

    @Test
    void no_more_tasks_run_at_once_than_the_profile_has_processors() {
        List<Integer> depth = new ArrayList<>();
        action = (event, context) -> {
            depth.add(depth.size());
            // Plays a second thread while this handler is busy.
            if (!executor.waiting.isEmpty()) {
                executor.runNext();
            }
            handled.add(event.id());
        };
        workers.startEach(events("a", "b", "c", "d"));
        executor.runNext();
        assertThat(handled).as("two at once: the second task does the rest").containsExactly("b", "c", "d", "a");
        assertThat(executor.waiting).isEmpty();
    }

    @Test
    void an_event_whose_handler_is_busy_holds_up_none_that_was_started_with_it() {
        action = (event, context) -> {
            if (event.id().equals("slow")) {
                executor.runNext();
                assertThat(handled).containsExactly("a", "b");
            }
            handled.add(event.id());
        };
        workers.startEach(events("slow", "a", "b"));
        executor.runNext();
        assertThat(handled).containsExactly("a", "b", "slow");
    }

    @Test
    void an_executor_that_runs_tasks_on_the_callers_thread_handles_events_in_order() {
        Workers inline = workers(Runnable::run);
        inline.startEach(events("a", "b", "c"));
        assertThat(handled).containsExactly("a", "b", "c");
        assertThat(inline.takeEnds()).hasSize(3);
    }

    @Test
    void quick_events_of_many_batches_wake_the_coordinator_once_at_half_of_them_and_once_at_the_end() {
        for (int i = 0; i < 4; i++) {
            workers.startEach(events("a" + i, "b" + i, "c" + i));
        }
        List<Integer> wakesBefore = new ArrayList<>();
        action = (event, context) -> wakesBefore.add(wakes.get());
        executor.runNext();
        assertThat(wakesBefore).containsExactly(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1);
        assertThat(wakes).hasValue(2);
    }

    @Test
    void as_many_events_may_wait_as_quick_handlers_end_within_a_millisecond() {
        time.advance(Duration.ofMillis(1));
        workers.takeEnds();
        workers.startEach(events("a", "b", "c", "d", "e"));
        executor.runNext();
        time.advance(Duration.ofMillis(1));
        workers.takeEnds();
        workers.takeEnds();
        assertThat(workers.roomForEvents(Lane.DOMAIN))
                .as("two slots and the five of the last millisecond")
                .isEqualTo(7);
        time.advance(Duration.ofMillis(1));
        workers.takeEnds();
        assertThat(workers.roomForEvents(Lane.DOMAIN))
                .as("nothing ended in the last millisecond")
                .isEqualTo(2);
    }

    @Test
    void a_busy_batch_takes_no_slot_from_single_events() {
        workers.startTogether(batch("batch"));
        workers.startTogether(batch("batch too"));
        assertThat(workers.idle(Lane.DOMAIN)).isFalse();
        assertThat(workers.roomForEvents(Lane.DOMAIN)).isEqualTo(2);
    }

    @Test
    void as_many_batches_may_lie_ready_as_were_finished_since_the_last_step() {
        workers.startTogether(batch("a"));
        workers.startTogether(batch("b"));
        assertThat(workers.hasRoom(Lane.DOMAIN)).isFalse();
        executor.runAll();
        workers.takeEnds();
        workers.startTogether(batch("c"));
        workers.startTogether(batch("d"));
        assertThat(workers.idle(Lane.DOMAIN)).isFalse();
        assertThat(workers.hasRoom(Lane.DOMAIN)).as("two were finished").isTrue();
        workers.takeEnds();
        assertThat(workers.hasRoom(Lane.DOMAIN)).as("none was finished").isFalse();
    }

    @Test
    void as_many_events_may_lie_ready_as_were_finished_since_the_last_step() {
        workers.startEach(events("a", "b"));
        assertThat(workers.roomForEvents(Lane.DOMAIN)).isZero();
        executor.runAll();
        workers.takeEnds();
        assertThat(workers.roomForEvents(Lane.DOMAIN)).isEqualTo(4);
        workers.takeEnds();
        assertThat(workers.roomForEvents(Lane.DOMAIN)).isEqualTo(2);
    }

    @Test
    void work_that_is_added_after_the_last_look_of_a_task_gets_a_task_in_the_next_step() {
        workers.startEach(events("a"));
        Runnable first = executor.waiting.remove();
        workers.startEach(events("b"));
        assertThat(executor.waiting).as("a task is about to start").isEmpty();
        first.run();
        workers.takeEnds();
        executor.runAll();
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void work_that_no_task_has_begun_is_taken_back() {
        action = (event, context) -> {
            handled.add(event.id());
            assertThat(workers.takeBack())
                    .extracting(claim -> claim.event().id())
                    .containsExactly("b", "c");
        };
        workers.startEach(events("a", "b", "c"));
        executor.runAll();
        assertThat(handled).containsExactly("a");
        assertThat(workers.takeEnds()).hasSize(1);
        assertThat(workers.roomForEvents(Lane.DOMAIN)).isEqualTo(3);
        assertThat(heard.batches)
                .extracting(PipelineListener.Batched::outcome)
                .containsExactly(PipelineListener.BatchOutcome.START, PipelineListener.BatchOutcome.STOP);
    }

    @Test
    void events_handled_by_several_tasks_are_announced_as_the_batch_they_came_in() {
        workers.startEach(events("a", "b", "c"));
        executor.runAll();
        assertThat(heard.batches)
                .extracting(PipelineListener.Batched::outcome)
                .containsExactly(PipelineListener.BatchOutcome.START, PipelineListener.BatchOutcome.STOP);
    }

    @Test
    void an_attempt_that_is_interrupted_by_a_stop_is_given_back_and_has_not_failed() {
        action = (event, context) -> {
            workers.stopping();
            throw new InterruptedException();
        };
        workers.startEach(events("a"));
        executor.runAll();
        assertThat(workers.takeEnds())
                .singleElement()
                .extracting(ClaimEnd::settlement)
                .isInstanceOf(Settlement.Release.class);
    }

    @Test
    void an_interrupt_that_is_no_stop_is_a_failed_attempt() {
        action = (event, context) -> {
            throw new InterruptedException();
        };
        workers.startEach(events("a"));
        executor.runAll();
        assertThat(workers.takeEnds())
                .singleElement()
                .extracting(ClaimEnd::settlement)
                .isInstanceOf(Settlement.Retry.class);
    }

    @Test
    void an_executor_that_refused_as_often_as_there_are_processors_is_asked_again() {
        AtomicInteger refusals = new AtomicInteger(2);
        Workers refused = workers(task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        });
        for (String id : List.of("a", "b", "c")) {
            refused.startEach(events(id));
            refused.takeEnds();
        }
        assertThat(handled).containsExactly("c");
    }

    @Test
    void a_batch_that_is_taken_back_before_it_begins_is_not_announced() {
        workers.startEach(events("a", "b"));
        assertThat(workers.takeBack()).hasSize(2);
        assertThat(heard.batches).isEmpty();
    }

    @Test
    void the_slot_of_a_stuck_handler_is_replaced_only_until_that_handler_returns() {
        HandlerWatch watch = new HandlerWatch(workers, new InFlight(), TWO, new Listeners(List.of(heard)));
        List<Integer> room = new ArrayList<>();
        action = (event, context) -> {
            time.advance(TWO.timeLimit().plus(HandlerWatch.GRACE).plusSeconds(1));
            watch.look(time.now());
            room.add(workers.roomForEvents(Lane.DOMAIN));
        };
        workers.startEach(events("a"));
        executor.runAll();
        workers.takeEnds();
        workers.takeEnds();
        time.advance(Duration.ofSeconds(1));
        watch.look(time.now());
        room.add(workers.roomForEvents(Lane.DOMAIN));
        assertThat(room).as("while the handler is stuck, and afterwards").containsExactly(2, 2);
    }
}
