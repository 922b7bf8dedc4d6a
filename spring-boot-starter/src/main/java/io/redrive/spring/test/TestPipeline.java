package io.redrive.spring.test;

import io.redrive.core.ManualTime;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.List;

/** The pipeline of a test: it moves when it is told to, on the thread of the test. A bean of {@link RedriveTest}. */
public final class TestPipeline {

    private static final int PAGE = 1_000;
    private static final Duration STEP = Duration.ofSeconds(1);

    /** Longer than anything looks back: keys, alerts, pauses, leases, breakers. */
    private static final Duration BETWEEN_TESTS = Duration.ofDays(2);

    private final Pipeline pipeline;
    private final EventStore store;
    private final ManualTime time;

    TestPipeline(Pipeline pipeline, EventStore store, ManualTime time) {
        this.pipeline = pipeline;
        this.store = store;
        this.time = time;
    }

    /** Handles what is due now, until nothing moves any more. */
    public void drain() {
        pipeline.drain();
    }

    /** Lets so much time pass, second by second, and handles what becomes due: retries, delays, automatic redrives. */
    public void drain(Duration passing) {
        pipeline.drain();
        Duration left = passing;
        while (left.compareTo(Duration.ZERO) > 0) {
            Duration step = left.compareTo(STEP) < 0 ? left : STEP;
            time.advance(step);
            pipeline.drain();
            left = left.minus(step);
        }
    }

    /** The dead letters, the first thousand of them. */
    public List<DeadLetter> deadLetters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, PAGE);
    }

    /** How events stand. */
    public StoreStats stats() {
        return store.stats(time.now());
    }

    /** Forgets all events and lets two days pass. Done before each test method. */
    void reset() {
        if (store instanceof InMemoryEventStore memory) {
            memory.clear();
        }
        time.advance(BETWEEN_TESTS);
    }
}
