package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A durable queue of events: publishing, claiming and settling, recovery, retention. Thread-safe. */
public interface EventStore extends Source, AutoCloseable {

    /** Bytes of payload allowed by default. */
    int DEFAULT_MAX_PAYLOAD = 1024 * 1024;
    /** How long keys are remembered by default, to tell duplicates. */
    Duration DEFAULT_KEY_RETENTION = Duration.ofHours(24);
    /** Events accepted in one call of {@link #publish(List, Instant)}. */
    int MAX_PUBLISH = 10_000;

    /**
     * Stores events in one transaction: all of them or none. Durable when it returns. Duplicates are dropped and told.
     *
     * @return one result for each event, in order
     */
    List<PublishResult> publish(List<Event> events, Instant now);

    /**
     * Makes events whose lease has expired ready again, each in its own priority. Their processes are gone: each event counts
     * a crash, and from the second one on it waits in {@link Lane#SUSPECT}. A process that lives lost its leases in another
     * way, such as an outage of the store: its events count an interruption.
     *
     * @param holders what is known of the processes that hold leases
     * @return how many
     */
    int recover(Instant now, LeaseHolders holders);

    /** {@link #recover(Instant, LeaseHolders)} when every process whose lease ran out is gone. */
    default int recover(Instant now) {
        return recover(now, LeaseHolders.ALL_GONE);
    }

    /**
     * One small step of housekeeping: forgets keys that are past their retention.
     *
     * @return how many were removed; zero when there is nothing left to do
     */
    int expire(Instant now);

    /**
     * Events that are not due yet and that nobody has begun, by due time and then by position.
     *
     * @param limit how many at most, up to {@link DeadLetters#MAX_PAGE}
     */
    List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now);

    /**
     * Removes an event that nobody has begun, scheduled or waiting in its queue. The store forgets its key, so that an event
     * with the same id may be published again.
     *
     * @param correlationId as published; null for none
     * @return true when the event is gone; false when it was begun before, or is not there
     */
    boolean cancel(String id, String correlationId, Instant now);

    /**
     * Names of events that claimers set aside and that nobody has claimed since, in alphabetical order.
     *
     * @param limit how many names at most
     */
    List<SetAside> setAside(int limit, Instant now);

    /** How many events are in which state. */
    StoreStats stats(Instant now);

    /** Which store this is, for logs: its kind and place, never a password. */
    default String describe() {
        return getClass().getSimpleName();
    }

    /** The dead letters of this store. */
    DeadLetters deadLetters();

    /** What the nodes of this store tell each other. */
    SharedNotes notes();

    /** Runs {@code wake} after each publish through this object, so that a pipeline need not wait for its next poll. */
    void onPublished(Runnable wake);

    @Override
    void close();
}
