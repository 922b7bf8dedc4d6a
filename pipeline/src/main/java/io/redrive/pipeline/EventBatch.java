package io.redrive.pipeline;

import io.redrive.core.Failure;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Events to handle together. What is not reported when the handler returns is done. Used by one thread. */
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

    /** The events, in the order they were claimed. */
    public List<Event> events() {
        return events;
    }

    /** Which attempt at {@code event} this is. */
    public EventContext context(Event event) {
        return EventContext.of(claims.get(mine(event)));
    }

    /** Reports an event to be tried again after the policy's backoff. */
    public void retry(Event event, String why) {
        report(event, Outcome.retry(why));
    }

    /** Reports an event to be tried again after {@code delay}. */
    public void retry(Event event, Duration delay, String why) {
        report(event, Outcome.retry(delay, why));
    }

    /** Reports an event that failed with {@code error}; the policy decides what follows. */
    public void failed(Event event, Throwable error) {
        report(event, new Outcome.Failed(Failure.thrown(error)));
    }

    /** Reports an event to be dead-lettered. */
    public void dead(Event event, String why) {
        report(event, Outcome.dead(why));
    }

    /** Reports an event that cannot be handled, because of what {@code error} says is wrong with it. */
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
        outcomes.put(mine(event), outcome);
    }

    private Event mine(Event event) {
        if (!claims.containsKey(event)) {
            throw new IllegalArgumentException("event " + event + " is not part of this batch of " + events.size());
        }
        return event;
    }
}
