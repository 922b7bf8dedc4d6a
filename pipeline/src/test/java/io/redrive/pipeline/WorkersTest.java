package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkersTest {

    private static final Profile TWO_HANDLERS =
            Profile.STANDARD.withDomain(new BatcherSettings(2, 1, Duration.ofSeconds(1)));

    private final ManualTime time = new ManualTime();
    private final QueuedExecutor executor = new QueuedExecutor();
    private final List<String> handled = new ArrayList<>();
    private final Workers workers = new Workers(
            executor,
            TWO_HANDLERS,
            new Runner.Surroundings(time, new Random(1), new Listeners(List.of())),
            AttemptInterceptor.NONE,
            new Hold(time, TWO_HANDLERS.lease()),
            () -> {});

    private Batch batch(String id) {
        Event event = Event.named("order.paid").source("test").id(id).build();
        Claim claim = new Claim(event, 1, 1, Attempts.NONE, time.now(), Duration.ZERO, 0);
        Handlers.Registration by = new Handlers.Registration.Single(new NamePattern("*"), it -> {
            handled.add(it.id());
            return Outcome.done();
        });
        return new Batch(new Batch.Key(Lane.DOMAIN, by, "test"), List.of(claim));
    }

    @Test
    void no_more_handlers_run_at_once_than_the_profile_says() {
        for (String id : List.of("a", "b", "c", "d")) {
            workers.start(batch(id));
        }
        assertThat(executor.waiting).hasSize(2);
        assertThat(workers.idle(Lane.DOMAIN)).isFalse();
    }

    @Test
    void a_handler_goes_on_with_what_lies_ready_without_the_coordinator() {
        for (String id : List.of("a", "b", "c", "d")) {
            workers.start(batch(id));
        }
        executor.runNext();
        assertThat(handled).containsExactly("a", "c", "d");
        executor.runNext();
        assertThat(handled).containsExactly("a", "c", "d", "b");
        assertThat(workers.finished()).hasSize(4);
        assertThat(workers.idle(Lane.DOMAIN)).isTrue();
    }

    @Test
    void as_many_batches_may_lie_ready_as_were_finished_since_the_last_step() {
        workers.start(batch("a"));
        workers.start(batch("b"));
        assertThat(workers.hasRoom(Lane.DOMAIN)).isFalse();
        executor.runNext();
        workers.finished();
        workers.start(batch("c"));
        assertThat(workers.idle(Lane.DOMAIN)).isFalse();
        assertThat(workers.hasRoom(Lane.DOMAIN)).as("one was finished").isTrue();
        workers.start(batch("d"));
        assertThat(workers.hasRoom(Lane.DOMAIN)).isFalse();
        workers.finished();
        assertThat(workers.hasRoom(Lane.DOMAIN)).as("none was finished").isFalse();
    }

    @Test
    void what_is_laid_ready_after_the_last_look_of_a_task_gets_a_task_of_its_own() {
        workers.start(batch("a"));
        workers.start(batch("b"));
        executor.runAll();
        // Both tasks have ended, which the coordinator has not noticed yet.
        workers.start(batch("c"));
        assertThat(executor.waiting).isEmpty();
        workers.finished();
        executor.runAll();
        assertThat(handled).containsExactly("a", "b", "c");
    }
}
