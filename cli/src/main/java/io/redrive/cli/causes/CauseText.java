package io.redrive.cli.causes;

import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Stance;
import io.redrive.operations.CauseView;
import java.time.Instant;
import java.util.List;

/** Causes in words and as JSON. */
final class CauseText {

    private CauseText() {}

    /** Returns the status with what belongs to it: {@code resolved, fixed in 2.4}. */
    static String status(CauseView view, Instant now) {
        String code = view.status().code();
        Care care = view.cause().care();
        if (care.stance() instanceof Stance.Resolved resolved) {
            return code
                    + resolved.fixedIn().map(version -> ", fixed in " + version).orElse("");
        }
        if (care.stance() instanceof Stance.Ignored ignored && code.equals("ignored")) {
            String until = ignored.until().map(end -> " until " + end).orElse("");
            String letters = ignored.letters().isPresent()
                    ? " until " + ignored.letters().getAsLong() + " more letters"
                    : "";
            return code + until + (until.isEmpty() || letters.isEmpty() ? letters : " or" + letters);
        }
        return code;
    }

    static JsonObject json(CauseView view) {
        Cause cause = view.cause();
        JsonObject days = new JsonObject();
        cause.perDay().forEach((day, letters) -> days.put(day.toString(), letters));
        JsonObject json = new JsonObject()
                .put("fingerprint", cause.fingerprint())
                .put("status", view.status().code())
                .put("letters", view.letters())
                .put("seen", cause.seen())
                .put("error_type", cause.errorType())
                .put("example", cause.example())
                .put("names", List.copyOf(cause.names()))
                .put("first_seen", cause.firstSeen())
                .put("last_seen", cause.lastSeen())
                .put("days", days)
                .put("owner", cause.care().owner())
                .put("note", cause.care().note())
                .put("ticket", cause.care().ticket())
                .put("merged_into", cause.mergedInto().orElse(null));
        if (cause.care().stance() instanceof Stance.Resolved resolved) {
            json.put("resolved_at", resolved.at())
                    .put(
                            "fixed_in",
                            resolved.fixedIn().map(ServiceVersion::text).orElse(null));
        } else if (cause.care().stance() instanceof Stance.Ignored ignored) {
            json.put("ignored_until", ignored.until().map(Instant::toString).orElse(null));
            if (ignored.letters().isPresent()) {
                json.put("ignored_letters", ignored.letters().getAsLong());
            }
        }
        return json;
    }

    static String error(Cause cause) {
        return Printable.error(cause.errorType(), cause.example());
    }
}
