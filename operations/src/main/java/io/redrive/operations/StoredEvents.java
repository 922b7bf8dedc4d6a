package io.redrive.operations;

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

/** {@link EventOperations} on a store. */
final class StoredEvents implements EventOperations {

    private static final int IDS_RECORDED = 10;
    private final Desk desk;

    StoredEvents(Desk desk) {
        this.desk = desk;
    }

    @Override
    public StoreStats stats() {
        return NamePause.stats(desk.read(), desk.now());
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit) {
        return desk.read().scheduled(filter, limit, desk.now()).stream()
                .map(found -> new Scheduled(desk.redaction().event(found.event()), found.position()))
                .toList();
    }

    @Override
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

    @Override
    public List<PublishResult> publish(List<Event> events) {
        OperatorCommand command = desk.command(Verb.PUBLISH, described(events));
        List<PublishResult> results = desk.store().publish(events, desk.now());
        long duplicates = results.stream().filter(PublishResult::isDuplicate).count();
        desk.record(command, Verb.PUBLISH, (results.size() - duplicates) + " accepted, " + duplicates + " duplicates");
        return results;
    }

    @Override
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

    @Override
    public boolean cancel(String id, @Nullable String correlationId) {
        OperatorCommand command = desk.command(Verb.CANCEL, "event " + id);
        boolean removed = desk.store().cancel(id, correlationId, desk.now());
        if (removed) {
            desk.record(command, Verb.CANCEL, "removed");
        }
        return removed;
    }
}
