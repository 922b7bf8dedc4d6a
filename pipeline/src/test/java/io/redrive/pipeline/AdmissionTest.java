package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checks that an event passes before its handler begins. */
class AdmissionTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    private Pipeline.Builder recording() {
        return rig.pipeline().on("order.*", event -> rig.handled.add(event.name()));
    }

    private void publish(Pipeline pipeline, String name) {
        pipeline.publish(rig.event(name).build());
        pipeline.drain();
    }

    @Test
    void an_event_refused_by_a_validator_is_dead_at_once_and_never_handled() {
        Pipeline pipeline = recording()
                .validate("order.*", event -> {
                    throw new IllegalArgumentException("total is missing");
                })
                .build();
        publish(pipeline, "order.paid");
        DeadLetter letter = rig.onlyLetter();
        assertThat(letter.reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(letter.errorType()).isEqualTo("IllegalArgumentException");
        assertThat(letter.lastError()).contains("total is missing");
        assertThat(rig.handled).isEmpty();
    }

    @Test
    void all_validators_whose_pattern_fits_are_asked() {
        Pipeline pipeline = recording()
                .validate("*", event -> rig.handled.add("all"))
                .validate("order.paid", event -> rig.handled.add("exact"))
                .validate("ml.*", event -> rig.handled.add("other"))
                .build();
        publish(pipeline, "order.paid");
        assertThat(rig.handled).containsExactly("all", "exact", "order.paid");
    }

    @Test
    void a_validator_that_ends_in_an_error_costs_one_event_and_not_the_pipeline() {
        Pipeline pipeline = recording()
                .validate("order.bad", event -> {
                    throw new StackOverflowError("deep");
                })
                .build();
        publish(pipeline, "order.bad");
        publish(pipeline, "order.good");
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(rig.handled).containsExactly("order.good");
    }

    @Test
    void the_handler_of_the_most_specific_pattern_is_chosen() {
        Pipeline pipeline = recording()
                .on("*", event -> rig.handled.add("any"))
                .on("order.paid", event -> rig.handled.add("exact"))
                .build();
        publish(pipeline, "order.paid");
        publish(pipeline, "mail.sent");
        assertThat(rig.handled).containsExactly("exact", "any");
    }

    @Test
    void two_handlers_for_one_pattern_are_refused() {
        Pipeline.Builder builder = recording();
        assertThatThrownBy(() -> builder.onBatch("order.*", batch -> {}))
                .hasMessage("pattern 'order.*' has a handler already; register one handler per pattern");
    }

    @Test
    void an_event_past_its_deadline_is_dead_and_never_handled() {
        Pipeline pipeline = recording().build();
        pipeline.publish(
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(5)).build());
        rig.time.advance(Duration.ofSeconds(5));
        pipeline.drain();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
        assertThat(rig.handled).isEmpty();
    }

    @Test
    void an_event_just_before_its_deadline_is_handled() {
        Pipeline pipeline = recording().build();
        pipeline.publish(
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(5)).build());
        rig.time.advance(Duration.ofMillis(4_999));
        pipeline.drain();
        assertThat(rig.handled).hasSize(1);
    }

    @Test
    void a_retry_that_would_come_after_the_deadline_is_not_waited_for() {
        Pipeline pipeline = rig.pipeline()
                .on("*", event -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(1)).build());
        pipeline.drain();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
        assertThat(rig.onlyLetter().errorType()).isEqualTo("IOException");
    }

    @Test
    void a_redriven_event_whose_deadline_has_passed_is_handled_after_all() {
        Pipeline pipeline = recording().build();
        Event late =
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(5)).build();
        pipeline.publish(late);
        rig.time.advance(Duration.ofSeconds(5));
        pipeline.drain();
        rig.store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 1, "b", "ann", false, rig.time.now()));
        rig.run(pipeline, SECOND, SECOND);
        assertThat(rig.handled).hasSize(1);
    }

    @Test
    void a_retry_without_a_token_waits_and_spends_no_attempt() {
        RetryBudget budget = RetryBudget.builder("shop").reserve(0).share(0.1).build();
        Pipeline pipeline = rig.pipeline()
                .budget("order.*", budget)
                .on("order.*", event -> {
                    rig.handled.add(event.id());
                    if (event.text().equals("bad")) {
                        throw new IOException("down");
                    }
                })
                .build();
        pipeline.publish(rig.event("order.paid").text("bad").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(5), SECOND);
        assertThat(rig.handled).as("the first attempt only").hasSize(1);
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.stats().waiting().forToken()).isEqualTo(1);
        assertThat(rig.stats().waiting().paused()).isZero();
        // With nine more first attempts, ten tenths add up to one retry.
        pipeline.publish(rig.events("order.paid", 9));
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(5), SECOND);
        assertThat(rig.handled).filteredOn("e1"::equals).hasSize(2);
        assertThat(rig.letters()).isEmpty();
    }

    @Test
    void a_retry_does_not_wait_for_ever_for_a_token_that_nothing_earns() {
        RetryBudget budget = RetryBudget.builder("shop").reserve(0).share(0.1).build();
        Pipeline pipeline = rig.pipeline()
                .budget("order.*", budget)
                .on("order.*", event -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        rig.run(pipeline, Duration.ofMinutes(1), SECOND);
        assertThat(rig.letters()).hasSize(2).allMatch(letter -> letter.reason() == Reason.MAX_ATTEMPTS_EXCEEDED);
    }

    @Test
    void a_budget_holds_back_only_the_names_it_is_for() {
        Pipeline pipeline = rig.pipeline()
                .budget(
                        "order.*",
                        RetryBudget.builder("shop").reserve(0).share(0).build())
                .on("*", event -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(
                List.of(rig.event("order.paid").build(), rig.event("mail.sent").build()));
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(10), SECOND);
        assertThat(rig.onlyLetter().event().name()).isEqualTo("mail.sent");
    }

    @Test
    void a_first_attempt_that_ends_in_a_dead_letter_earns_its_share_of_a_retry() {
        RetryBudget budget = RetryBudget.builder("shop").reserve(0).share(0.5).build();
        Pipeline pipeline = rig.pipeline()
                .budget("order.*", budget)
                .handle("order.*", event -> Outcome.dead("no"))
                .build();
        pipeline.publish(rig.events("order.paid", 4));
        pipeline.drain();
        assertThat(rig.letters()).hasSize(4);
        assertThat(budget.tokens()).isEqualTo(2);
    }

    @Test
    void a_clock_set_back_while_an_event_is_claimed_makes_no_time_negative() {
        QueuedExecutor threads = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .executor(threads)
                .on("*", event -> rig.handled.add(event.name()))
                .build();
        pipeline.publish(rig.event("order.paid").build());
        while (threads.waiting.isEmpty()) {
            pipeline.step();
        }
        rig.time.jump(Duration.ofMinutes(-10));
        pipeline.step();
        threads.runAll();
        while (rig.heard.done.isEmpty()) {
            pipeline.step();
        }
        assertThat(rig.heard.done.get(0).latency()).isZero();
        assertThat(rig.heard.workloads)
                .allSatisfy(load -> assertThat(load.oldestClaimed()).isZero());
    }
}
