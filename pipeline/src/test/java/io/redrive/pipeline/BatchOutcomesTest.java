package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Outcomes that a handler of batches reports, and the settlement of each event. */
class BatchOutcomesTest {

    private final Rig rig = new Rig();
    private final List<Integer> sizes = new ArrayList<>();

    private Pipeline pipeline(BatchHandler handler) {
        return rig.pipeline()
                .onBatch("*", batch -> {
                    sizes.add(batch.events().size());
                    handler.handle(batch);
                })
                .build();
    }

    /** A batch of order.good, order.odd, order.good, of which the odd one is reported. */
    private void reportOdd(BiConsumer<EventBatch, Event> report) {
        Pipeline pipeline = pipeline(batch -> batch.events().stream()
                .filter(event -> event.name().equals("order.odd"))
                .forEach(event -> report.accept(batch, event)));
        pipeline.publish(List.of(
                rig.event("order.good").build(),
                rig.event("order.odd").build(),
                rig.event("order.good").build()));
        pipeline.drain();
    }

    private List<String> done() {
        return rig.heard.done.stream().map(each -> each.event().name()).toList();
    }

    @Test
    void an_event_that_is_not_reported_is_done() {
        reportOdd((batch, event) -> {});
        assertThat(done()).containsExactly("order.good", "order.odd", "order.good");
        assertThat(sizes).containsExactly(3);
    }

    @Test
    void a_reported_retry_waits_for_the_backoff_alone() {
        reportOdd((batch, event) -> batch.retry(event, "not yet"));
        assertThat(done()).containsExactly("order.good", "order.good");
        assertThat(rig.heard.retries).singleElement().satisfies(retry -> {
            assertThat(retry.event().name()).isEqualTo("order.odd");
            assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(1));
        });
    }

    @Test
    void a_reported_delay_is_kept() {
        reportOdd((batch, event) -> batch.retry(event, Duration.ofMinutes(3), "later"));
        assertThat(rig.heard.retries.get(0).delay()).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void a_reported_failure_goes_by_the_policy() {
        reportOdd((batch, event) -> batch.failed(event, new StackOverflowError("deep")));
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.HANDLER_CRASHED);
        assertThat(done()).hasSize(2);
    }

    @Test
    void a_reported_death_is_one_event_only() {
        reportOdd((batch, event) -> batch.dead(event, "no such order"));
        assertThat(rig.onlyLetter().event().name()).isEqualTo("order.odd");
        assertThat(done()).hasSize(2);
    }

    @Test
    void a_reported_snooze_spends_nothing() {
        reportOdd((batch, event) -> batch.snooze(event, Duration.ofMinutes(1)));
        assertThat(rig.stats().delayed()).isEqualTo(1);
        assertThat(rig.heard.retries).isEmpty();
        assertThat(done()).hasSize(2);
    }

    @Test
    void the_last_report_of_an_event_counts() {
        reportOdd((batch, event) -> {
            batch.retry(event, "not yet");
            batch.dead(event, "on second thoughts");
        });
        assertThat(rig.letters()).hasSize(1);
        assertThat(rig.heard.retries).isEmpty();
    }

    @Test
    void a_report_about_a_foreign_event_fails_the_handler() {
        Event foreign = rig.event("order.foreign").build();
        Pipeline pipeline = pipeline(batch -> batch.dead(foreign, "not mine"));
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        assertThat(rig.heard.retries.get(0).message()).contains("is not part of this batch of 1");
    }

    @Test
    void reports_made_before_the_handler_threw_are_kept_and_not_asked_for_again() {
        Pipeline pipeline = pipeline(batch -> {
            for (Event event : batch.events()) {
                rig.handled.add(event.name());
                if (event.name().equals("order.dead")) {
                    batch.dead(event, "no such order");
                }
                if (event.name().equals("order.bad")) {
                    throw new IOException("cannot");
                }
            }
        });
        pipeline.publish(List.of(
                rig.event("order.dead").build(),
                rig.event("order.good").build(),
                rig.event("order.bad").build()));
        pipeline.drain();
        assertThat(rig.onlyLetter().event().name()).isEqualTo("order.dead");
        assertThat(done()).containsExactly("order.good");
        assertThat(rig.handled).containsOnlyOnce("order.dead");
        assertThat(rig.stats().delayed()).isEqualTo(1);
    }

    @Test
    void a_failing_batch_is_halved_until_each_culprit_stands_alone() {
        Pipeline pipeline = pipeline(batch -> {
            if (batch.events().stream().anyMatch(event -> event.name().equals("order.bad"))) {
                throw new IOException("cannot");
            }
        });
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            events.add(rig.event(i == 5 ? "order.bad" : "order.good").build());
        }
        pipeline.publish(events);
        pipeline.drain();
        assertThat(sizes).containsExactly(8, 4, 4, 2, 1, 1, 2);
        assertThat(done()).hasSize(7).containsOnly("order.good");
        assertThat(rig.heard.retries).hasSize(1);
    }

    @Test
    void exactly_the_failing_events_of_a_batch_are_blamed() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Rig own = new Rig();
            Pipeline pipeline = own.pipeline()
                    .policies(EventPolicies.defaults().with("*", Rig.attempts(1)))
                    .onBatch("*", batch -> {
                        if (batch.events().stream()
                                .anyMatch(event -> event.text().equals("bad"))) {
                            throw new IOException("cannot");
                        }
                    })
                    .build();
            List<Event> events = new ArrayList<>();
            List<String> culprits = new ArrayList<>();
            int size = 1 + random.nextInt(25);
            for (int i = 0; i < size; i++) {
                boolean bad = random.nextInt(4) == 0;
                Event event = own.event("order.paid").text(bad ? "bad" : "good").build();
                events.add(event);
                if (bad) {
                    culprits.add(event.id());
                }
            }
            pipeline.publish(events);
            pipeline.drain();
            assertThat(own.letters().stream().map(DeadLetter::event).map(Event::id))
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderElementsOf(culprits);
            assertThat(own.heard.done).as("seed %d", seed).hasSize(size - culprits.size());
        }
    }

    @Test
    void a_batch_with_a_failure_is_announced_as_an_error() {
        reportOdd((batch, event) -> batch.retry(event, "not yet"));
        assertThat(rig.heard.batches)
                .extracting(PipelineListener.Batched::outcome)
                .containsExactly(PipelineListener.BatchOutcome.START, PipelineListener.BatchOutcome.ERROR);
    }

    @Test
    void a_batch_that_takes_too_long_is_one_timed_out_attempt_of_all_its_events() {
        Pipeline pipeline = pipeline(batch -> rig.time.advance(Duration.ofSeconds(21)));
        pipeline.publish(rig.events("order.paid", 25));
        pipeline.step();
        pipeline.step();
        assertThat(sizes).as("not halved").containsExactly(25);
        assertThat(rig.heard.retries)
                .hasSize(25)
                .allMatch(retry -> retry.errorType().equals("timeout"));
    }

    @Test
    void the_next_attempts_after_a_time_out_run_alone_so_that_the_culprit_stands_alone() {
        Pipeline pipeline = pipeline(batch -> {
            if (batch.events().stream().anyMatch(event -> event.name().equals("order.bad"))) {
                rig.time.advance(Duration.ofSeconds(21));
            }
        });
        List<Event> events = rig.events("order.good", 7);
        events.add(rig.event("order.bad").build());
        pipeline.publish(events);
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofSeconds(1));
        assertThat(sizes).containsExactly(8, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(done()).hasSize(7).containsOnly("order.good");
        assertThat(rig.onlyLetter().event().name()).isEqualTo("order.bad");
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TIMEOUT);
    }

    @Test
    void a_time_out_of_a_call_inside_the_handler_is_an_exception_like_any_other() {
        Pipeline pipeline = pipeline(batch -> {
            throw new AttemptTimeoutException(Duration.ofSeconds(2));
        });
        pipeline.publish(rig.events("order.paid", 4));
        pipeline.step();
        assertThat(sizes).containsExactly(4, 2, 1, 1, 2, 1, 1);
    }

    @Test
    void events_reported_before_the_time_limit_keep_their_outcome() {
        Pipeline pipeline = pipeline(batch -> {
            batch.dead(batch.events().get(0), "no such order");
            rig.time.advance(Duration.ofSeconds(21));
        });
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.step();
        pipeline.step();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.NOT_RETRYABLE);
        assertThat(rig.heard.retries).hasSize(2);
    }

    @Test
    void validators_refuse_events_of_a_batch_one_by_one() {
        Pipeline pipeline = rig.pipeline()
                .validate("order.odd", event -> {
                    throw new IllegalArgumentException("odd");
                })
                .onBatch("*", batch -> sizes.add(batch.events().size()))
                .build();
        pipeline.publish(List.of(
                rig.event("order.good").build(),
                rig.event("order.odd").build(),
                rig.event("order.good").build()));
        pipeline.drain();
        assertThat(sizes).containsExactly(2);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.INVALID_EVENT);
    }

    @Test
    void a_batch_knows_the_attempt_of_each_event() {
        List<Integer> attempts = new ArrayList<>();
        Pipeline pipeline = pipeline(batch -> {
            Event event = batch.events().get(0);
            attempts.add(batch.context(event).attempt());
            batch.retry(event, "not yet");
        });
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(3), Duration.ofSeconds(1));
        assertThat(attempts).containsExactly(1, 2, 3);
    }

    @Test
    void a_failed_batch_is_announced_with_its_cause_and_the_ids_of_the_events_that_failed() {
        reportOdd((batch, event) -> batch.failed(event, new IOException("disk full")));
        assertThat(rig.heard.batches.get(1)).satisfies(batch -> {
            assertThat(batch.failedIds()).containsExactly("e2");
            assertThat(batch.errorType()).isEqualTo("IOException");
            assertThat(batch.message()).contains("disk full");
        });
    }

    @Test
    void a_lone_event_in_an_idle_pipeline_is_handled_in_the_first_step() {
        Pipeline pipeline = pipeline(batch -> {});
        pipeline.drain();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.step();
        assertThat(sizes).containsExactly(1);
    }

    @Test
    void idle_handlers_take_what_there_is_when_the_pipeline_is_full_of_small_batches() {
        Pipeline pipeline = pipeline(batch -> {});
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            events.add(rig.event("order.paid").source("source-" + i).build());
        }
        pipeline.publish(events);
        pipeline.drain();
        assertThat(sizes).as("without waiting for a batch to become old").hasSize(400);
    }

    @Test
    void of_two_failures_in_a_batch_the_first_is_announced_as_the_cause() {
        Pipeline pipeline = pipeline(batch ->
                batch.events().forEach(event -> batch.failed(event, new IOException("failed at " + event.id()))));
        pipeline.publish(rig.events("order.odd", 2));
        pipeline.drain();
        assertThat(rig.heard.batches.get(1).failedIds()).containsExactly("e1", "e2");
        assertThat(rig.heard.batches.get(1).message()).contains("failed at e1");
    }
}
