package io.redrive.pipeline;

import io.redrive.core.Failure;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Events to handle together. An event that is not reported when the handler returns is done. Used by one thread. */
public final class EventBatch {

    private final List<Event> events;
    private final Map<Event, Claim> claims = new IdentityHashMap<>();
    private final Map<Event, Outcome> outcomes = new IdentityHashMap<>();

    private EventBatch(List<Claim> claims) {
        events = claims.stream().map(Claim::event).toList();
        claims.forEach(claim -> this.claims.put(claim.event(), claim));
    }

    static EventBatch of(List<Claim> claims) {
        return new EventBatch(claims);
    }

    /** Returns the events in the order of their claims. */
    public List<Event> events() {
        return events;
    }

    /**
     * Returns the attempt at {@code event}.
     *
     * @throws IllegalArgumentException when {@code event} is not part of this batch
     */
    public EventContext context(Event event) {
        return EventContext.of(claimOf(event));
    }

    /** Reports an event to be tried again after the policy's backoff. */
    public void retry(Event event, String why) {
        report(event, Outcome.retry(why));
    }

    /** Reports an event to be tried again after {@code delay}. */
    public void retry(Event event, Duration delay, String why) {
        report(event, Outcome.retry(delay, why));
    }

    /** Reports an event that failed with {@code error}; the policy decides whether to retry. */
    public void failed(Event event, Throwable error) {
        report(event, new Outcome.Failed(Failure.thrown(error)));
    }

    /** Reports an event to be dead-lettered. */
    public void dead(Event event, String why) {
        report(event, Outcome.dead(why));
    }

    /** Reports an invalid event: a dead letter, reason {@code invalid_event}, with {@code error} as its cause. */
    public void invalid(Event event, Throwable error) {
        report(event, Outcome.invalid(error));
    }

    /** Puts an event off; no attempt is spent. */
    public void snooze(Event event, Duration delay) {
        report(event, Outcome.snooze(delay));
    }

    Optional<Outcome> reported(Event event) {
        return Optional.ofNullable(outcomes.get(event));
    }

    private void report(Event event, Outcome outcome) {
        claimOf(event);
        outcomes.put(event, outcome);
    }

    private Claim claimOf(Event event) {
        Claim claim = claims.get(event);
        if (claim == null) {
            throw new IllegalArgumentException("event " + event + " is not part of this batch of " + events.size());
        }
        return claim;
    }
}
