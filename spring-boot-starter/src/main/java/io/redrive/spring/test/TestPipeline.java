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

/**
 * Runs the pipeline of a test on the thread of the test. A bean in tests with {@link RedriveTest} or
 * {@link AutoConfigureRedriveTest}.
 */
public final class TestPipeline {

    private static final int PAGE = 1_000;
    private static final Duration STEP = Duration.ofSeconds(1);

    /** Longer than the memory of keys, alerts, pauses, leases and breakers. */
    private static final Duration BETWEEN_TESTS = Duration.ofDays(2);

    private final Pipeline pipeline;
    private final EventStore store;
    private final ManualTime time;

    TestPipeline(Pipeline pipeline, EventStore store, ManualTime time) {
        this.pipeline = pipeline;
        this.store = store;
        this.time = time;
    }

    /** Handles due events until no event is due. */
    public void drain() {
        pipeline.drain();
    }

    /**
     * Moves the clock forward by {@code passing}, second by second, and handles the events due at each second: retries,
     * delayed events, automatic redrives.
     */
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

    /** Returns the first 1,000 dead letters. */
    public List<DeadLetter> deadLetters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, PAGE);
    }

    /** Returns the counts of events by state. */
    public StoreStats stats() {
        return store.stats(time.now());
    }

    /** Removes all events and moves the clock forward by two days. Called before each test method. */
    void reset() {
        if (store instanceof InMemoryEventStore memory) {
            memory.clear();
        }
        time.advance(BETWEEN_TESTS);
    }
}
