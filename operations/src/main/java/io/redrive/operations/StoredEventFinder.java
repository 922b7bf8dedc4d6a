package io.redrive.operations;

import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.PastFailure;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@link EventFinder} on a store. */
final class StoredEventFinder implements EventFinder {

    private final Desk desk;

    StoredEventFinder(Desk desk) {
        this.desk = desk;
    }

    @Override
    public List<FoundEvent> find(EventQuery query, int limit) {
        EventStore store = desk.read();
        List<FoundEvent> found = new ArrayList<>(unfinished(store.unfinished().find(query, limit, desk.now())));
        store.deadLetters()
                .newest(LetterFilter.ALL.withEvent(query), Long.MAX_VALUE, limit)
                .forEach(
                        letter -> found.add(new FoundEvent.Died(desk.redaction().letter(letter))));
        store.journal().find(query, limit).forEach(event -> found.add(new FoundEvent.Finished(event)));
        found.sort(Comparator.comparing(FoundEvent::created));
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    @Override
    public List<FoundEvent> waiting(int limit) {
        return unfinished(desk.read().unfinished().waiting(limit, desk.now()));
    }

    @Override
    public List<FoundEvent> waiting(String name, int limit) {
        return unfinished(desk.read().unfinished().find(EventQuery.name(name), limit, desk.now()));
    }

    @Override
    public List<FinishedEvent> latest(Instant notBefore, int limit) {
        return desk.read().journal().latest(notBefore, limit);
    }

    @Override
    public List<FinishedEvent> latest(String name, int limit) {
        return desk.read().journal().find(EventQuery.name(name), limit);
    }

    @Override
    public List<PastFailure> failures(FinishedEvent event) {
        return desk.read().journal().failures(event).stream().map(this::shown).toList();
    }

    private PastFailure shown(PastFailure failure) {
        return new PastFailure(
                failure.number(),
                failure.at(),
                failure.node(),
                failure.duration(),
                failure.errorType(),
                desk.redaction().text(failure.message()),
                failure.decision());
    }

    @Override
    public Optional<Instant> rememberedSince() {
        return desk.read().journal().since();
    }

    @Override
    public Duration retention() {
        return desk.read().journal().retention();
    }

    private List<FoundEvent> unfinished(List<UnfinishedEvent> events) {
        if (events.isEmpty()) {
            return List.of();
        }
        Instant now = desk.now();
        List<NamePause> pauses = NamePause.of(desk.store().notes(), now);
        List<Member> alive = Member.of(desk.store().notes()).stream()
                .filter(node -> node.isAlive(now))
                .toList();
        List<FoundEvent> found = new ArrayList<>();
        for (UnfinishedEvent event : events) {
            if (event.state() instanceof UnfinishedEvent.Claimed claim) {
                found.add(new FoundEvent.Runs(event, claim));
            } else {
                UnfinishedEvent.Waiting waiting = (UnfinishedEvent.Waiting) event.state();
                found.add(waits(event, waiting, pauses, alive));
            }
        }
        return found;
    }

    private static FoundEvent.Waits waits(
            UnfinishedEvent event, UnfinishedEvent.Waiting waiting, List<NamePause> pauses, List<Member> alive) {
        Optional<NamePause> pause = pauses.stream()
                .filter(each -> each.pattern().matches(event.name()))
                .findFirst();
        String why = why(event, waiting, pause, alive);
        return pause.map(each -> FoundEvent.Waits.paused(event, waiting, why, each.since()))
                .orElseGet(() -> new FoundEvent.Waits(event, waiting, why));
    }

    private static String why(
            UnfinishedEvent event, UnfinishedEvent.Waiting waiting, Optional<NamePause> pause, List<Member> alive) {
        return switch (waiting.why()) {
            case BEHIND ->
                waiting.behind()
                        .map(first -> "waits behind event " + first + " of its ordering key")
                        .orElse(waiting.why().words());
            case READY ->
                pause.map(StoredEventFinder::paused)
                        .orElse(
                                alive.isEmpty()
                                        ? "is due, and no node works on this store"
                                        : waiting.why().words());
            case PAUSED ->
                pause.map(StoredEventFinder::paused).orElse(waiting.why().words());
            case SET_ASIDE ->
                pause.map(StoredEventFinder::paused).orElse("is set aside: " + handled(event.name(), alive));
            case DUE_TIME, BACKOFF, SNOOZED, NO_TOKEN -> waiting.why().words();
        };
    }

    private static String handled(String name, List<Member> alive) {
        boolean handled =
                alive.stream().anyMatch(node -> node.handles().stream().anyMatch(pattern -> pattern.matches(name)));
        return handled ? "a node that handles its name will claim it" : "no live node has a handler for its name";
    }

    private static String paused(NamePause pause) {
        String end =
                pause.until().map(until -> " until " + Desk.inSeconds(until)).orElse(" until it is resumed");
        return "waits because " + pause.pattern().text() + " is paused"
                + (pause instanceof NamePause.ByHand hand ? " by " + hand.operator() : " by the pipeline") + end;
    }
}
