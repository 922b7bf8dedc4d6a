package io.redrive.events;

import io.redrive.events.activity.ActivityLog;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.UnfinishedEvents;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A durable queue of events: publishing, claiming and settling, recovery, retention. Thread-safe. */
public interface EventStore extends Source, AutoCloseable {

    /** Bytes of payload allowed by default. */
    int DEFAULT_MAX_PAYLOAD = 1024 * 1024;
    /** How long a store keeps keys by default, to detect duplicates. */
    Duration DEFAULT_KEY_RETENTION = Duration.ofHours(24);
    /** The most events of one call of {@link #publish(List, Instant)}. */
    int MAX_PUBLISH = 10_000;

    /**
     * Stores all events or none, in one transaction. The events are durable when this method returns. Duplicates are
     * dropped and reported.
     *
     * @return one result for each event, in order
     */
    List<PublishResult> publish(List<Event> events, Instant now);

    /**
     * Publishes as {@link #publish(List, Instant)} does, and claims new events in the same transaction. When this method throws, the
     * events may be stored and claimed; their lease runs out, and {@link #recover(Instant, LeaseHolders)} makes them ready. Default:
     * claims nothing.
     *
     * @param claim the events to claim; duplicates among them are not claimed
     */
    default PublishedEvents publish(List<Event> events, ImmediateClaim claim, Instant now) {
        return new PublishedEvents(publish(events, now), List.of());
    }

    /**
     * Publishes events that the handler of a claimed event makes, and would make again with the same ids if the claim came again.
     * Survives a crash of the process as {@link #publish(List, Instant)} does. After a power loss the store may have lost the
     * events, but only together with the settlement of the claim: the claimed event is handled again. A store may therefore
     * return before the events are synced to the disk, and sync once for the events and the settlement. Default: as {@link
     * #publish(List, Instant)}.
     *
     * @param events events with ids that follow from the claimed event
     * @return one result for each event, in order
     */
    default List<PublishResult> publishBeforeSettling(List<Event> events, Instant now) {
        return publish(events, now);
    }

    /**
     * Makes events whose lease has expired ready again, each in its own priority. Events of a process that is gone
     * count a crash, and from the third crash on wait in {@link Lane#SUSPECT}. A suspect counts a further crash only
     * when the process held no other claim; beside other claims the suspect counts an interruption, because a
     * neighbour may have ended the process. Events of a living process count an interruption: the process lost its
     * leases in another way, for example by an outage of the store.
     *
     * @param holders the processes that hold leases
     * @return the number of recovered events
     */
    int recover(Instant now, LeaseHolders holders);

    /** {@link #recover(Instant, LeaseHolders)} when every process whose lease ran out is gone. */
    default int recover(Instant now) {
        return recover(now, LeaseHolders.ALL_GONE);
    }

    /**
     * Does one small step of housekeeping: forgets keys and finished events older than their
     * retention, and writes the counts of earlier
     * publish calls to the {@linkplain #activity() activity}.
     *
     * @return the number of removed keys and finished events; zero when none is left
     */
    int expire(Instant now);

    /**
     * Returns events that are not due yet and that no claim has taken, by due time and then by position.
     *
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now);

    /**
     * Removes an event that no claim has taken, whether scheduled or waiting in its queue. The store forgets the
     * event's key, so that an event with the same id may be published again.
     *
     * @param correlationId the correlation id as published; null for none
     * @return true when the event was removed; false when a claim has taken the event or the store does not have it
     */
    boolean cancel(String id, @Nullable String correlationId, Instant now);

    /**
     * Returns the names of events that claimers set aside and that no claim has taken since, in alphabetical order.
     *
     * @param limit the most names to return
     */
    List<SetAside> setAside(int limit, Instant now);

    /** Returns the number of events that claimers set aside and whose name matches one of these patterns. */
    long countSetAside(Set<NamePattern> names);

    /** Returns the number of events in each state. A store does not know pauses: see {@link #stats(Instant, Set)}. */
    StoreStats stats(Instant now);

    /**
     * Returns the number of events in each state. Events that were set aside and whose name is paused count as paused, not as set
     * aside.
     *
     * @param paused patterns of the paused names
     */
    default StoreStats stats(Instant now, Set<NamePattern> paused) {
        StoreStats stats = stats(now);
        boolean nonePaused = paused.isEmpty() || stats.waiting().setAside() == 0;
        return nonePaused ? stats : stats.withPaused(countSetAside(paused), setAside(SetAside.MAX_NAMES, now), paused);
    }

    /** Returns the kind and place of this store, without a password, for logs. */
    default String describe() {
        return getClass().getSimpleName();
    }

    /** Returns the dead letters of this store. */
    DeadLetters deadLetters();

    /** Returns the redrive operations of this store. */
    Redrives redrives();

    /** Returns the notes that the nodes of this store share. */
    SharedNotes notes();

    /**
     * Returns the activity of this store. Publish calls through this object are counted by the store, and written when
     * their minute is over: by the next publish call, by {@link #expire}, or when the store is closed. The rest is
     * counted by pipelines.
     */
    ActivityLog activity();

    /** Returns the journal of finished events. Off unless the store was opened with a retention for its journal. */
    Journal journal();

    /** Returns the sample of handled events of this store, which pipelines write. */
    HandledSamples samples();

    /** Returns the proposals of this store: commands that wait for the approval of a person. */
    Proposals proposals();

    /** Returns the port by which events of a log outside the store, for example of a Kafka topic, are taken into this store. */
    Adoptions adoptions();

    /** Returns the notes of new dead letters, for senders that pass letters on to other systems. */
    LetterOutbox letterOutbox();

    /** Returns the longest lease of claims on this store. A pipeline whose profile has a longer lease is refused when it is built. */
    default Duration longestLease() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /** Returns the state of the flow of records from topics of a log; empty for a store whose events come from publishers alone. */
    default Optional<FlowReport> flow() {
        return Optional.empty();
    }

    /** Returns the most bytes of a payload. */
    default int maxPayload() {
        return DEFAULT_MAX_PAYLOAD;
    }

    /** Returns the events that are neither finished nor dead, to look at. */
    UnfinishedEvents unfinished();

    /**
     * Runs {@code wake} after each publish through this object that stored an event to claim, so that a pipeline need not wait for
     * its next poll.
     */
    void onPublished(Runnable wake);

    @Override
    void close();
}
