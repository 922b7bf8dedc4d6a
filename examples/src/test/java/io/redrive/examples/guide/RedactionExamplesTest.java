package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.RedactionMode;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The snippets of redaction.md. */
final class RedactionExamplesTest {

    private final ManualTime time = new ManualTime();
    private final EventStore store = new InMemoryEventStore();

    @Test
    void secrets_are_neither_stored_in_letters_nor_shown() {
        // snippet: redaction
        Redaction redaction = Redaction.of(
                List.of("/card/number", "header:authorization", "pattern:\\b\\d{13,19}\\b"), RedactionMode.STORED);

        Pipeline.Builder pipeline = Pipeline.on(store).redaction(redaction);
        Operations operations =
                Operations.of(store, Operator.named("ada", Role.OPERATOR), time).showing(redaction);
        // end
        Pipeline built = pipeline.on("order.*", event -> {
                    throw new IllegalStateException("4111222233334444 refused");
                })
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .executor(Runnable::run)
                .time(time)
                .build();
        built.publish(Event.named("order.paid")
                .source("shop")
                .json("{\"card\":{\"number\":\"4111222233334444\"}}")
                .time(time)
                .build());
        built.drain();
        DeadLetter letter = store.deadLetters().list(LetterFilter.ALL, 0, 1).get(0);
        assertThat(letter.lastError()).endsWith("[redacted] refused");
        assertThat(operations.redrives().leftOut(LetterSelection.all())).isEqualTo(1);
    }
}
