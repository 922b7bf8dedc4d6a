package io.redrive.items;

import java.time.Duration;

/**
 * The sizes and times of a run in one process. Immutable: {@code RunSettings.STANDARD.withWindow(1_000)}.
 *
 * @param window samples in memory at most; also the most that a crash makes run again
 * @param windowBytes bytes of samples in memory, beyond which no more are taken
 * @param commitEvery how long what has happened may wait for a commit
 * @param commitSize how many changes go into a commit without waiting
 * @param lease how long this process may be silent before others take over
 * @param stopLimit how long a stopping run waits for attempts under way before it interrupts them
 * @param patience how long to put up with a store or a sink that fails before the run stops
 */
public record RunSettings(
        int window,
        long windowBytes,
        Duration commitEvery,
        int commitSize,
        Duration lease,
        Duration stopLimit,
        Duration patience) {

    /** 4,096 samples or 64 MiB, commits every 50 ms or 4,096 changes, a lease of 30 s, 10 s to stop, 1 min patience. */
    public static final RunSettings STANDARD = new RunSettings(
            4_096,
            64L * 1024 * 1024,
            Duration.ofMillis(50),
            4_096,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1));

    /** Refuses what leaves no room to work. */
    public RunSettings {
        requireAtLeastOne("window", window);
        requireAtLeastOne("windowBytes", windowBytes);
        requireAtLeastOne("commitSize", commitSize);
        requirePositive("lease", lease);
        requireNotNegative("commitEvery", commitEvery);
        requireNotNegative("stopLimit", stopLimit);
        requireNotNegative("patience", patience);
    }

    /** Another number of samples in memory. */
    public RunSettings withWindow(int samples) {
        return new RunSettings(samples, windowBytes, commitEvery, commitSize, lease, stopLimit, patience);
    }

    /** Another number of bytes in memory. */
    public RunSettings withWindowBytes(long bytes) {
        return new RunSettings(window, bytes, commitEvery, commitSize, lease, stopLimit, patience);
    }

    /** Commits at least so often. */
    public RunSettings withCommits(Duration every, int size) {
        return new RunSettings(window, windowBytes, every, size, lease, stopLimit, patience);
    }

    /** Another lease. */
    public RunSettings withLease(Duration length) {
        return new RunSettings(window, windowBytes, commitEvery, commitSize, length, stopLimit, patience);
    }

    /** Another time for attempts to finish when the run stops. */
    public RunSettings withStopLimit(Duration limit) {
        return new RunSettings(window, windowBytes, commitEvery, commitSize, lease, limit, patience);
    }

    /** Another patience with a store or sink that fails. */
    public RunSettings withPatience(Duration limit) {
        return new RunSettings(window, windowBytes, commitEvery, commitSize, lease, stopLimit, limit);
    }

    private static void requireAtLeastOne(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, got " + value);
        }
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be longer than zero, got " + value);
        }
    }

    private static void requireNotNegative(String what, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, got " + value);
        }
    }
}
