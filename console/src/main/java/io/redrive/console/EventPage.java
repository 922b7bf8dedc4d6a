package io.redrive.console;

import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.PastFailure;
import io.redrive.operations.FoundEvent;
import java.util.List;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows an event in any state, with its chain and the order of its key. */
final class EventPage {

    private static final int SAME_ID = 20;
    private static final int CHAIN = 100;

    /**
     * The facts of the page.
     *
     * @param event the event
     * @param others other events and letters with the same id
     * @param failures the failed attempts of a finished event, oldest first
     * @param chain the events of the same correlation id; without rows for an event without one
     * @param key the order of the event's key; empty for an event without a key
     */
    record View(
            FoundEvent event,
            List<FoundEvent> others,
            List<PastFailure> failures,
            EventChain chain,
            Optional<KeyQueue> key) {

        /** Returns true when other events wait until this event ends. */
        boolean blocks() {
            return key.flatMap(KeyQueue::blocker).filter(event::equals).isPresent();
        }
    }

    private final Renderer renderer;

    EventPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        String id = visit.param("id");
        String correlation = visit.param("correlation");
        List<FoundEvent> found = visit.operations().finder().find(EventQuery.id(id), SAME_ID).stream()
                .filter(event -> correlation.isEmpty()
                        || event.correlationId().filter(correlation::equals).isPresent())
                .toList();
        if (found.isEmpty()) {
            throw Refusal.missing(
                    "No event has the id " + Format.brief(id, 80) + ".",
                    EventsPage.Reach.of(visit.operations().finder()).isOff()
                            ? "The event may be done: finished events are remembered only while the journal of the store is on."
                            : "The event may have finished before the journal's retention, or was deleted.");
        }
        // The last state of an event that was redriven comes last.
        FoundEvent event = found.get(found.size() - 1);
        View view = new View(
                event,
                found.subList(0, found.size() - 1),
                event instanceof FoundEvent.Finished finished
                                && finished.event().isSaved()
                        ? visit.operations().finder().failures(finished.event())
                        : List.of(),
                EventChain.of(
                        event.correlationId()
                                .map(each -> visit.operations().finder().find(EventQuery.correlationId(each), CHAIN))
                                .orElse(List.of()),
                        visit.now()),
                event.orderingKey()
                        .filter(key -> EventWords.isUnfinished(event))
                        .map(key -> KeyQueue.of(
                                key, visit.operations().finder().find(EventQuery.orderingKey(key), CHAIN))));
        return renderer.html(visit, "event", view);
    }
}
