package io.redrive.pipeline;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A store, a clock and a recording listener for tests of a pipeline that is stepped by hand. */
final class Rig {

    /** Kept in a field, since the logging library holds its loggers weakly. */
    private static final Logger LOGGER = Logger.getLogger(Pipeline.class.getPackageName());

    static {
        LOGGER.setLevel(Level.OFF);
    }

    final ManualTime time = new ManualTime();
    final InMemoryEventStore store = new InMemoryEventStore();
    final Heard heard = new Heard();
    /** Names of the handled events, for tests of the order. */
    final List<String> handled = new ArrayList<>();

    private int events;

    /** Returns a builder whose handlers run inside the step that dispatches them. */
    Pipeline.Builder pipeline() {
        return pipelineOn(store);
    }

    Pipeline.Builder pipelineOn(EventStore other) {
        return Pipeline.on(other)
                .executor(Runnable::run)
                .time(time)
                .random(new SplittableRandom(7))
                .node("node-1")
                .listener(heard)
                .policies(EventPolicies.defaults().with("*", attempts(3)));
    }

    /** Returns a policy of {@code attempts}, one second apart, without jitter. */
    static RetryPolicy attempts(int most) {
        return RetryPolicy.builder()
                .maxAttempts(most)
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .jitter(Jitter.none())
                .build();
    }

    Event.Builder event(String name) {
        return Event.named(name)
                .id("e" + ++events)
                .source("test")
                .correlationId("c")
                .time(time);
    }

    List<Event> events(String name, int count) {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(event(name).build());
        }
        return all;
    }

    StoreStats stats() {
        return store.stats(time.now());
    }

    List<DeadLetter> letters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, 1_000).stream()
                .map(letter -> store.deadLetters().find(letter.id()).orElseThrow())
                .toList();
    }

    DeadLetter onlyLetter() {
        List<DeadLetter> letters = letters();
        if (letters.size() != 1) {
            throw new AssertionError("expected one dead letter, got " + letters);
        }
        return letters.get(0);
    }

    /** Steps once every {@code every} until {@code span} is over. */
    void run(Pipeline pipeline, Duration span, Duration every) {
        for (Duration passed = Duration.ZERO; passed.compareTo(span) < 0; passed = passed.plus(every)) {
            time.advance(every);
            pipeline.drain();
        }
    }
}
