package io.redrive.events;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The number of events in each state.
 *
 * @param ready due and waiting for a claim, including events of paused names that were set aside
 * @param delayed not yet due: scheduled, or waiting out a backoff or a pause
 * @param claimed being handled
 * @param dead dead letters
 * @param oldestReady how long the oldest ready event has been due; zero without ready events
 * @param waiting ready and delayed events that wait for more than their due time
 */
public record StoreStats(long ready, long delayed, long claimed, long dead, Duration oldestReady, Waiting waiting) {

    /** Creates counts with {@link Waiting#NONE}. */
    public StoreStats(long ready, long delayed, long claimed, long dead, Duration oldestReady) {
        this(ready, delayed, claimed, dead, oldestReady, Waiting.NONE);
    }

    /** Counts events that were set aside as paused where their name is paused. The three answers may differ by a moment. */
    StoreStats withPaused(long pausedAside, List<SetAside> aside, Set<NamePattern> paused) {
        long moved = Math.min(pausedAside, waiting.setAside());
        Duration oldest = aside.stream()
                .filter(each -> paused.stream().noneMatch(pattern -> pattern.matches(each.name())))
                .map(SetAside::waited)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        Waiting counted = new Waiting(
                waiting.behindKey(), waiting.setAside() - moved, oldest, waiting.paused() + moved, waiting.forToken());
        return new StoreStats(ready, delayed, claimed, dead, oldestReady, counted);
    }

    /**
     * Events that wait for more than their due time. Each is also counted as ready or delayed.
     *
     * @param behindKey events behind an earlier event of their ordering key; ready or delayed by their own due time
     * @param setAside ready events whose names no claimer so far has a handler for
     * @param oldestSetAside how long the oldest event that was set aside has been due; zero without such events
     * @param paused events whose name is paused: delayed for a moment, or set aside, where {@link EventStore#stats(java.time.Instant,
     *     Set)} was told the paused names
     * @param forToken events delayed until their retry budget has a token
     */
    public record Waiting(long behindKey, long setAside, Duration oldestSetAside, long paused, long forToken) {

        /** Counts of zero. */
        public static final Waiting NONE = new Waiting(0, 0, Duration.ZERO, 0, 0);
    }
}
