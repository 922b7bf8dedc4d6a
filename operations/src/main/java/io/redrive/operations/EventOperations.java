package io.redrive.operations;

import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PublishResult;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator may know and do about events that are not dead. Thread-safe. */
public final class EventOperations {

    private static final int IDS_RECORDED = 10;

    private final Desk desk;

    EventOperations(Desk desk) {
        this.desk = desk;
    }

    /** Returns the number of events in each state; events of names that are paused now count as paused. */
    public StoreStats stats() {
        return NamePause.stats(desk.read(), desk.now());
    }

    /**
     * Returns events that are not due yet and that no claim has taken, by due time.
     *
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit) {
        return desk.read().scheduled(filter, limit, desk.now()).stream()
                .map(found -> new Scheduled(desk.redaction().event(found.event()), found.position()))
                .toList();
    }

    /**
     * Returns the names of waiting events that no live node has a handler for.
     *
     * @param limit the most names to look at
     */
    public List<SetAside> unhandled(int limit) {
        Instant now = desk.now();
        List<Member> alive = Member.of(desk.read().notes()).stream()
                .filter(node -> node.isAlive(now))
                .toList();
        return desk.store().setAside(limit, now).stream()
                .filter(aside -> alive.stream().noneMatch(node -> handles(node, aside.name())))
                .toList();
    }

    private static boolean handles(Member node, String name) {
        return node.handles().stream().anyMatch(pattern -> pattern.matches(name));
    }

    /**
     * Publishes events by hand: durable when the method returns. All events are one row in the record of actions.
     *
     * @return one result for each event, in order
     */
    public List<PublishResult> publish(List<Event> events) {
        OperatorCommand command = desk.command(Verb.PUBLISH, described(events));
        List<PublishResult> results = desk.store().publish(events, desk.now());
        long duplicates = results.stream().filter(PublishResult::isDuplicate).count();
        desk.record(command, Verb.PUBLISH, (results.size() - duplicates) + " accepted, " + duplicates + " duplicates");
        return results;
    }

    /**
     * Publishes events of a program: durable when the method returns. A program publishes all the time, so the record of actions has
     * no row for its events.
     *
     * @return one result for each event, in order
     */
    public List<PublishResult> accept(List<Event> events) {
        return desk.permitted(Verb.PUBLISH).publish(events, desk.now());
    }

    private static String described(List<Event> events) {
        String some = String.join(
                ", ",
                events.stream()
                        .limit(IDS_RECORDED)
                        .map(event -> event.name() + " " + event.id())
                        .toList());
        return events.size() > IDS_RECORDED ? some + " and " + (events.size() - IDS_RECORDED) + " more" : some;
    }

    /**
     * Removes an event that no claim has taken. An event with the same id may be published again.
     *
     * @param correlationId the correlation id as published; null for none
     * @return true when the event was removed; false when a claim has taken the event or the store does not have it
     */
    public boolean cancel(String id, @Nullable String correlationId) {
        OperatorCommand command = desk.command(Verb.CANCEL, "event " + id);
        boolean removed = desk.store().cancel(id, correlationId, desk.now());
        if (removed) {
            desk.record(command, Verb.CANCEL, "removed");
        }
        return removed;
    }
}
