package io.redrive.items;

import java.time.Duration;

/**
 * The sizes and times of a run in one process. Immutable: {@code RunSettings.STANDARD.withWindow(1_000)}.
 *
 * @param window the maximum number of samples in memory, and so of samples that a crash repeats; 4,096 by default
 * @param windowBytes the number of bytes of samples in memory at which the process takes no more samples; 64 MiB by default
 * @param commitEvery the maximum time between a change and its commit; 50 ms by default
 * @param commitSize the number of changes that cause a commit at once; 4,096 by default
 * @param lease the time without a sign of life after which this process counts as dead and its samples go to other processes;
 *     30 s by default
 * @param stopLimit how long a stopping run waits for running attempts before interrupting the attempts; 10 s by default
 * @param patience how long the run retries a failing store or sink before stopping; 1 min by default
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

    /** Refuses sizes below 1, a lease of zero, and negative times. */
    public RunSettings {
        requireAtLeastOne("window", window);
        requireAtLeastOne("windowBytes", windowBytes);
        requireAtLeastOne("commitSize", commitSize);
        requirePositive("lease", lease);
        requireNotNegative("commitEvery", commitEvery);
        requireNotNegative("stopLimit", stopLimit);
        requireNotNegative("patience", patience);
    }

    /** Returns these settings with another maximum of samples in memory. */
    public RunSettings withWindow(int samples) {
        return new RunSettings(samples, windowBytes, commitEvery, commitSize, lease, stopLimit, patience);
    }

    /** Returns these settings with another limit of bytes in memory. */
    public RunSettings withWindowBytes(long bytes) {
        return new RunSettings(window, bytes, commitEvery, commitSize, lease, stopLimit, patience);
    }

    /** Returns these settings with commits after this time or this number of changes, whichever comes first. */
    public RunSettings withCommits(Duration every, int size) {
        return new RunSettings(window, windowBytes, every, size, lease, stopLimit, patience);
    }

    /** Returns these settings with another lease. */
    public RunSettings withLease(Duration length) {
        return new RunSettings(window, windowBytes, commitEvery, commitSize, length, stopLimit, patience);
    }

    /** Returns these settings with another time for attempts to finish when the run stops. */
    public RunSettings withStopLimit(Duration limit) {
        return new RunSettings(window, windowBytes, commitEvery, commitSize, lease, limit, patience);
    }

    /** Returns these settings with another patience. */
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
