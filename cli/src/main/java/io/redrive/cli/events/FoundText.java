package io.redrive.cli.events;

import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.DeadLetter;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.operations.EventFinder;
import io.redrive.operations.FoundEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Writes found events as text and as JSON. */
final class FoundText {

    private FoundText() {}

    /** Returns what became of the event, in a few words. */
    static String fate(FoundEvent found, Instant now) {
        if (found instanceof FoundEvent.Waits waits) {
            Instant due = waits.waiting().due();
            return waits.why() + (due.isAfter(now) ? ", due in " + Printable.roughly(Duration.between(now, due)) : "");
        }
        if (found instanceof FoundEvent.Runs runs) {
            return "attempt " + (runs.event().failed() + 1) + " on "
                    + runs.claim().node()
                    + runs.claim()
                            .since()
                            .map(since -> ", claimed " + Printable.age(since, now))
                            .orElse("");
        }
        if (found instanceof FoundEvent.Died died) {
            DeadLetter letter = died.letter();
            return "letter " + letter.id() + ", " + letter.reason().code() + ", " + Printable.age(letter.deadAt(), now);
        }
        return finished(((FoundEvent.Finished) found).event(), now);
    }

    static String finished(FinishedEvent event, Instant now) {
        return Printable.age(event.finished(), now)
                + (event.node().isEmpty() ? "" : " on " + event.node())
                + ", attempt " + (event.failed() + 1)
                + (event.redrives() > 0 ? ", redriven " + event.redrives() + " x" : "")
                + (event.duration().isZero() ? "" : ", took " + took(event.duration()));
    }

    private static String took(Duration duration) {
        return duration.compareTo(Duration.ofSeconds(10)) < 0
                ? duration.toMillis() + " ms"
                : Printable.roughly(duration);
    }

    static JsonObject json(FoundEvent found) {
        JsonObject json = new JsonObject()
                .put("state", found.state())
                .put("id", found.id())
                .put("correlation_id", found.correlationId().orElse(null))
                .put("ordering_key", found.orderingKey().orElse(null))
                .put("name", found.name())
                .put("source", found.source())
                .put("created", found.created());
        if (found instanceof FoundEvent.Waits waits) {
            return json.put("since", waits.since().map(Instant::toString).orElse(null))
                    .put("due", waits.waiting().due())
                    .put("why", waits.waiting().why().name().toLowerCase(Locale.ROOT))
                    .put("explanation", waits.why())
                    .put("behind", waits.waiting().behind().orElse(null))
                    .put("failed_attempts", waits.event().failed());
        }
        if (found instanceof FoundEvent.Runs runs) {
            return json.put("node", runs.claim().node())
                    .put("attempt", runs.event().failed() + 1)
                    .put("claimed", runs.claim().since().map(Instant::toString).orElse(null))
                    .put("lease_until", runs.claim().until());
        }
        if (found instanceof FoundEvent.Died died) {
            return json.put("letter", died.letter().id())
                    .put("dead", died.letter().deadAt())
                    .put("reason", died.letter().reason().code())
                    .put("error", died.letter().lastError());
        }
        return json(json, ((FoundEvent.Finished) found).event());
    }

    private static JsonObject json(JsonObject json, FinishedEvent event) {
        return json.put("finished", event.finished())
                .put("node", event.node())
                .put("attempt", event.failed() + 1)
                .put("redrives", event.redrives())
                .put("duration_ms", event.duration().toMillis());
    }

    /** Returns how far back the journal reaches, or how to switch it on. */
    static String reach(EventFinder finder, Instant now) {
        return finder.rememberedSince()
                .map(since ->
                        "the journal remembers finished events since " + since + " (" + Printable.age(since, now) + ")")
                .orElse("the journal is off or empty, so finished events cannot be found; a node remembers them when it"
                        + " opens the store with SqliteOptions.withJournal(Duration.ofHours(24)) or"
                        + " PostgresOptions.withJournal(Duration.ofHours(24))");
    }
}
