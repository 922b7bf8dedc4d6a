package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.DurationText;
import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.pipeline.BatcherSettings;
import io.redrive.pipeline.EventBatch;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The snippets of batching.md. */
final class BatchingExamplesTest {

    private final ManualTime time = new ManualTime();
    private final EventStore store = new InMemoryEventStore();
    private final List<Integer> sizes = new ArrayList<>();

    private List<Event> trials(String... losses) {
        List<Event> events = new ArrayList<>();
        for (String loss : losses) {
            events.add(Event.named("ml.trial.completed")
                    .source("trainer")
                    .correlationId("run-1")
                    .text(loss)
                    .time(time)
                    .build());
        }
        return events;
    }

    private void insertAll(List<Event> events) {
        sizes.add(events.size());
        events.forEach(event -> Double.parseDouble(event.text()));
    }

    @Test
    void a_batch_handler_reports_what_did_not_work() {
        // snippet: batch-outcomes
        Pipeline pipeline = Pipeline.on(store)
                .onBatch("ml.trial.*", batch -> {
                    for (Event event : batch.events()) {
                        if (event.text().equals("NaN")) {
                            batch.dead(event, "a loss must be a number");
                        } else if (event.text().isEmpty()) {
                            batch.retry(event, Duration.ofSeconds(30), "not written yet");
                        }
                    }
                    // An event without a report is done.
                })
                // end
                .executor(Runnable::run)
                .time(time)
                .build();
        pipeline.publish(trials("0.1", "NaN", "", "0.2"));
        pipeline.drain();
        assertThat(store.stats(time.now()).dead()).isEqualTo(1);
        assertThat(store.stats(time.now()).delayed()).isEqualTo(1);
    }

    @Test
    void a_batch_that_throws_is_split_until_the_culprit_stands_alone() {
        // snippet: batch-throws
        Pipeline pipeline = Pipeline.on(store)
                .onBatch("ml.trial.*", batch -> insertAll(batch.events()))
                // end
                .executor(Runnable::run)
                .time(time)
                .build();
        pipeline.publish(trials("0.1", "0.2", "0.3", "oops", "0.5", "0.6", "0.7", "0.8"));
        pipeline.drain();
        assertThat(sizes).contains(8, 1);
        assertThat(store.stats(time.now()).delayed()).isEqualTo(1);
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
    }

    @Test
    void a_profile_is_a_value_to_start_from() {
        // snippet: profile
        Profile profile = Profile.HIGH_THROUGHPUT
                .withDomain(new BatcherSettings(8, 100, Duration.ofSeconds(1)))
                .withTimeLimit(Duration.ofSeconds(60))
                .withLease(Duration.ofSeconds(25));
        Pipeline pipeline = Pipeline.on(store)
                .onBatch("ml.trial.*", (EventBatch batch) -> insertAll(batch.events()))
                .profile(profile)
                .build();
        // end
        assertThat(pipeline).isNotNull();
        assertThat(profile.claimSize()).isEqualTo(100);
    }

    @Test
    void a_limit_of_calls_at_once_finds_itself() {
        // snippet: adaptive-limit
        Pipeline pipeline = Pipeline.on(store)
                .on("mail.*", event -> send(event))
                .adaptiveLimit("mail.*", AdaptiveLimit.between(1, 64))
                .build();
        String inForce = pipeline.describe();
        // end
        assertThat(inForce).contains("handler mail.*: 4 calls at once (1 to 64)");
    }

    private static void send(Event event) {
        assertThat(event.name()).startsWith("mail.");
    }

    /** The table of the three profiles, from the code. */
    static String profiles() {
        Map<String, Profile> all = Map.of(
                "standard", Profile.STANDARD,
                "high-throughput", Profile.HIGH_THROUGHPUT,
                "low-latency", Profile.LOW_LATENCY);
        return "| profile | poll | claim | processors | demand | critical lane | domain lane |\n|---|---|---|---|---|---|---|\n"
                + List.of("standard", "high-throughput", "low-latency").stream()
                        .map(name -> row(name, all.get(name)))
                        .collect(Collectors.joining("\n"));
    }

    private static String row(String name, Profile profile) {
        return "| `" + name + "` | " + DurationText.format(profile.poll()) + " | " + profile.claimSize() + " | "
                + profile.processors() + " | " + profile.minDemand() + "–" + profile.maxDemand() + " | "
                + batcher(profile.critical()) + " | " + batcher(profile.domain()) + " |";
    }

    private static String batcher(BatcherSettings settings) {
        return settings.handlers() + " handlers, " + settings.size() + " events, "
                + DurationText.format(settings.timeout());
    }
}
