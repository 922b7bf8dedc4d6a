package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchProgressTest {

    private final ManualTime time = new ManualTime();

    private Claim claim(int number) {
        Event event = Event.named("order.paid").source("test").id("e" + number).build();
        return new Claim(event, number, 1, Attempts.NONE, time.now(), Duration.ZERO, 0);
    }

    @Test
    void the_end_of_a_large_batch_names_the_first_failed_events_up_to_the_limit() {
        List<Claim> claims = IntStream.rangeClosed(1, PipelineListener.MAX_IDS + 2)
                .mapToObj(this::claim)
                .toList();
        Handlers.Registration by = new Handlers.Registration.Batched(new NamePattern("*"), batch -> {});
        BatchProgress progress = new BatchProgress(new Batch(new Batch.Key(Lane.DOMAIN, by, "test"), claims), 0);
        progress.begins();
        progress.start(0, time.now());
        for (Claim claim : claims) {
            AttemptRecord line =
                    new AttemptRecord(1, time.now(), "node", Duration.ZERO, "IOException", "down", "retry", "");
            progress.failed(claim, PipelineListener.BatchOutcome.ERROR, line);
        }

        PipelineListener.Batched end = progress.end(1, time.now());

        assertThat(end.size()).isEqualTo(PipelineListener.MAX_IDS + 2);
        assertThat(end.failedIds())
                .hasSize(PipelineListener.MAX_IDS)
                .startsWith("e1")
                .endsWith("e" + PipelineListener.MAX_IDS);
    }
}
