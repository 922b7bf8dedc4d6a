package io.redrive.console;

import io.redrive.operations.FoundEvent;
import java.time.Instant;

/** Says what became of an event, in words. */
final class EventWords {

    private EventWords() {}

    /** Returns the state as a predicate of the event: {@code waits for its next attempt, due in 3 s}. */
    static String fate(FoundEvent event, Instant now) {
        if (event instanceof FoundEvent.Waits waits) {
            Instant due = waits.waiting().due();
            String why = Format.withTimes(waits.why());
            return due.isAfter(now) ? why + ", due " + Format.ago(due, now) : why;
        }
        if (event instanceof FoundEvent.Runs runs) {
            return "is being handled on " + runs.claim().node()
                    + runs.claim()
                            .since()
                            .map(since -> ", claimed " + Format.ago(since, now))
                            .orElse("");
        }
        if (event instanceof FoundEvent.Died died) {
            return "was given up " + Format.ago(died.letter().deadAt(), now) + ": "
                    + died.letter().reason().code();
        }
        FoundEvent.Finished finished = (FoundEvent.Finished) event;
        return "was done " + Format.ago(finished.event().finished(), now)
                + (finished.event().node().isEmpty()
                        ? ""
                        : " on " + finished.event().node())
                + ", attempt " + (finished.event().failed() + 1)
                + (finished.event().duration().isZero()
                        ? ""
                        : ", took " + Format.duration(finished.event().duration()));
    }

    /** Returns when the event ended; now for an event that has not ended. */
    static Instant end(FoundEvent event, Instant now) {
        if (event instanceof FoundEvent.Died died) {
            return died.letter().deadAt();
        }
        return event instanceof FoundEvent.Finished finished ? finished.event().finished() : now;
    }

    /** Returns true while the event is neither done nor dead. */
    static boolean isUnfinished(FoundEvent event) {
        return event instanceof FoundEvent.Waits || event instanceof FoundEvent.Runs;
    }

    /** Returns the class of the state in the stylesheet. */
    static String style(FoundEvent event) {
        return switch (event.state()) {
            case "dead" -> "badge bad";
            case "finished" -> "badge good";
            case "claimed" -> "badge act";
            default -> "badge warn";
        };
    }

    /** Returns the address of the event's page, below the mount path. */
    static String path(FoundEvent event) {
        Query query = Query.NONE.plus("id", event.id());
        return "/event"
                + event.correlationId()
                        .map(each -> query.plus("correlation", each))
                        .orElse(query);
    }
}
