package io.redrive.events;

import java.time.Duration;

/**
 * How many events are where.
 *
 * @param ready due and waiting to be claimed
 * @param delayed not yet due: scheduled, or waiting out a backoff
 * @param claimed being handled
 * @param dead dead letters
 * @param oldestReady how long the oldest ready event has been due, zero when there is none
 */
public record StoreStats(long ready, long delayed, long claimed, long dead, Duration oldestReady) {}
