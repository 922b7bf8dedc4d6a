package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteStore;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.operations.difference.Difference;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of what-differs.md. */
final class DifferenceExamplesTest {

    private final ManualTime time = new ManualTime();

    @TempDir
    private Path folder;

    @Test
    void what_differs_is_told_while_the_journal_is_on() {
        Path file = folder.resolve("orders.db");
        // snippet: differs-journal
        EventStore store = SqliteStore.open(file, SqliteOptions.DEFAULT.withJournal(Duration.ofHours(24)));
        // end
        try (store) {
            handleSome(store);
            String fingerprint = store.deadLetters().causes().latest(1).get(0).fingerprint();
            // snippet: differs-in-code
            Operations operations = Operations.of(store, Operator.named("ada", Role.VIEWER), time);

            for (NameDifferences name :
                    operations.causes().differences(fingerprint).orElseThrow().names()) {
                List<String> sentences =
                        name.differences().stream().map(Difference::sentence).toList();
                System.out.println(name.name() + ": " + sentences);
            }
            // end
            assertThat(operations
                            .causes()
                            .differences(fingerprint)
                            .orElseThrow()
                            .names()
                            .get(0)
                            .differences())
                    .extracting(Difference::sentence)
                    .containsExactly("all 20 letters have /currency = \"XBT\"; of 10 handled events none");
        }
    }

    private void handleSome(EventStore store) {
        try (Pipeline pipeline = Pipeline.on(store)
                .handle("order.paid", event -> event.text().contains("XBT") ? Outcome.dead("no rate") : Outcome.done())
                .executor(Runnable::run)
                .time(time)
                .build()) {
            for (int i = 0; i < 60; i++) {
                pipeline.publish(Event.named("order.paid")
                        .source("shop")
                        .correlationId("order-" + i)
                        .time(time)
                        .json("{\"currency\": \"" + (i % 3 == 0 ? "XBT" : "EUR") + "\"}")
                        .build());
            }
            pipeline.drain();
        }
    }
}
