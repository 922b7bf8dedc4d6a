package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.RedriveOperations;
import io.redrive.operations.Role;
import io.redrive.pipeline.AutomaticRedrive;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The snippets of dead-letters.md. */
final class DeadLetterExamplesTest {

    private final ManualTime time = new ManualTime();
    private final EventStore store = new InMemoryEventStore();

    @BeforeEach
    void two_letters() {
        Pipeline pipeline = Pipeline.on(store)
                .on("order.*", event -> {
                    throw new IllegalStateException("currency 'XBT' is unknown");
                })
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .executor(Runnable::run)
                .time(time)
                .build();
        for (int i = 0; i < 2; i++) {
            pipeline.publish(Event.named("order.paid")
                    .source("shop")
                    .correlationId("order-" + i)
                    .time(time)
                    .build());
        }
        pipeline.drain();
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void everything_the_command_line_does_can_be_done_in_code() {
        // snippet: letters-in-code
        DeadLetters letters = store.deadLetters();

        List<LetterGroup> groups = letters.groups(LetterFilter.ALL, 10);
        LetterFilter worst = LetterFilter.ALL.withFingerprint(groups.get(0).fingerprint());
        DeadLetter first = letters.list(worst, 0, 1).get(0);

        byte[] repaired = "{\"order\": 17, \"currency\": \"EUR\"}".getBytes(StandardCharsets.UTF_8);
        letters.edit(first.id(), repaired, "ada", time.now());
        // end
        assertThat(groups)
                .singleElement()
                .satisfies(group -> assertThat(group.count()).isEqualTo(2));
        assertThat(letters.find(first.id()).orElseThrow().originalPayload()).isPresent();
    }

    @Test
    void a_canary_can_be_run_by_an_application() throws Exception {
        LetterFilter worst = LetterFilter.ALL.withName("order.*");
        // snippet: canary-in-code
        RedriveOperations redrives =
                Operations.of(store, Operator.named("ada", Role.OPERATOR), time).redrives();
        RedrivePlan plan = RedrivePlan.CANARY.withPerSecond(20).withStageLimit(Duration.ofMinutes(1));

        RedriveOperation preview = redrives.preview(LetterSelection.matching(worst), plan);
        redrives.start(preview.id());
        Optional<RedriveOperation> end =
                redrives.follow(preview.id(), operation -> operation.state().isEnded(), operation -> {});
        // end
        assertThat(end).get().satisfies(halted -> assertThat(halted.state()).isInstanceOf(RedriveState.Halted.class));
    }

    @Test
    void automatic_redrive_is_a_value_too() {
        // snippet: automatic-redrive
        Pipeline.Builder pipeline = Pipeline.on(store)
                .automaticRedrive(AutomaticRedrive.STANDARD
                        .withReasons(Reason.TIMEOUT, Reason.MAX_ATTEMPTS_EXCEEDED)
                        .withAfter(Duration.ofMinutes(30))
                        .withTimesPerLetter(2));
        // end
        Pipeline built = pipeline.on("order.*", event -> {})
                .executor(Runnable::run)
                .time(time)
                .build();
        time.advance(Duration.ofMinutes(31));
        built.drain();
        time.advance(Duration.ofSeconds(2));
        built.drain();
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
    }
}
