package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.events.NamePattern;
import io.redrive.events.PayloadField;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Preview;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Dead letters, filters and selections as the API has them. */
final class LetterShapes {

    private LetterShapes() {}

    static DeadLetter letter(Fields fields) {
        try {
            return DeadLetterJson.read(fields.toString(), 1);
        } catch (IllegalArgumentException e) {
            throw new UnreadableAnswerException("a letter cannot be read: " + e.getMessage(), e);
        }
    }

    static LetterGroup group(Fields fields) {
        return new LetterGroup(
                fields.text("fingerprint"),
                fields.text("error_type"),
                fields.text("example"),
                fields.number("letters"),
                fields.texts("names"),
                fields.time("first_dead"),
                fields.time("last_dead"));
    }

    static LetterVersion version(Fields fields) {
        return new LetterVersion(
                fields.integer("number"),
                fields.base64("payload_base64"),
                fields.text("action"),
                fields.text("command"),
                fields.text("operator"),
                fields.time("at"));
    }

    static Preview preview(Fields fields) {
        return new Preview(filter(fields.object("filter")), fields.number("letters"), fields.numbers("missing"));
    }

    private static LetterFilter filter(Fields fields) {
        LetterFilter filter = LetterFilter.ofIds(fields.numbers("ids"));
        filter = fields.optional("name", filter::withName).orElse(filter);
        LetterFilter named = filter;
        filter = fields.optional("reason", code -> named.withReason(Reason.of(code)))
                .orElse(filter);
        filter = fields.optional("error_type").map(filter::withErrorType).orElse(filter);
        filter = fields.optional("fingerprint").map(filter::withFingerprint).orElse(filter);
        filter = fields.optional("event_id").map(filter::withEventId).orElse(filter);
        filter = fields.optional("text").map(filter::withText).orElse(filter);
        filter = fields.optional("payload", PayloadField::parse)
                .map(filter::withPayload)
                .orElse(filter);
        filter = fields.has("redacted")
                ? filter.withRedacted(fields.constant("redacted", LetterFilter.Redacted.class))
                : filter;
        filter = fields.has("overtaken") ? filter.withOvertaken(fields.isTrue("overtaken")) : filter;
        return filter.withTime(
                fields.optionalTime("since").orElse(null),
                fields.optionalTime("until").orElse(null));
    }

    /** Adds the conditions of a filter to the parameters of a path. */
    static ApiPath with(ApiPath path, LetterFilter filter) {
        return path.with("ids", filter.ids().isEmpty() ? null : sorted(filter))
                .with("name", filter.name().map(NamePattern::text))
                .with("reason", filter.reason().map(Reason::code))
                .with("error_type", filter.errorType())
                .with("fingerprint", filter.fingerprint())
                .with("event_id", filter.eventId())
                .with("text", filter.text())
                .with("payload", filter.payload().map(PayloadField::toString))
                .with("since", filter.since())
                .with("until", filter.until())
                .with("redacted", redacted(filter))
                .with("overtaken", filter.overtaken());
    }

    private static JsonObject json(LetterFilter filter) {
        return new JsonObject()
                .put("ids", filter.ids().isEmpty() ? null : sorted(filter))
                .put("name", filter.name().map(NamePattern::text).orElse(null))
                .put("reason", filter.reason().map(Reason::code).orElse(null))
                .put("error_type", filter.errorType().orElse(null))
                .put("fingerprint", filter.fingerprint().orElse(null))
                .put("event_id", filter.eventId().orElse(null))
                .put("text", filter.text().orElse(null))
                .put("payload", filter.payload().map(PayloadField::toString).orElse(null))
                .put("since", filter.since().orElse(null))
                .put("until", filter.until().orElse(null))
                .put("redacted", redacted(filter).orElse(null))
                .put("overtaken", filter.overtaken().orElse(null));
    }

    private static List<Long> sorted(LetterFilter filter) {
        return filter.ids().stream().sorted().toList();
    }

    private static Optional<String> redacted(LetterFilter filter) {
        return filter.redacted().map(rule -> rule.name().toLowerCase(Locale.ROOT));
    }

    /** Returns the body that selects these letters. */
    static JsonObject body(LetterSelection letters) {
        JsonObject body = letters.filter().equals(LetterFilter.ALL)
                ? new JsonObject().put("all", true)
                : new JsonObject().put("filter", json(letters.filter()));
        return letters.limit() == Long.MAX_VALUE ? body : body.put("limit", letters.limit());
    }

    /** Returns the body that selects letters for a redrive. */
    static JsonObject redriveBody(LetterSelection letters) {
        boolean redacted = letters.filter()
                .redacted()
                .filter(rule -> rule == LetterFilter.Redacted.INCLUDED)
                .isPresent();
        boolean all = letters.filter().equals(LetterFilter.ALL)
                || letters.filter().equals(LetterFilter.ALL.withRedacted(LetterFilter.Redacted.INCLUDED));
        JsonObject body = all
                ? new JsonObject().put("all", true).put("include_redacted", redacted)
                : new JsonObject().put("filter", json(letters.filter()));
        body.put("include_overtaken", letters.includesOvertaken());
        return letters.limit() == Long.MAX_VALUE ? body : body.put("limit", letters.limit());
    }

    /** Returns the body that selects the letters of a preview, and no letter that died later. */
    static JsonObject body(Preview preview) {
        return new JsonObject().put("filter", json(preview.filter())).put("limit", Math.max(1, preview.letters()));
    }
}
