package io.redrive.cli.remote;

import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Sighting;
import io.redrive.events.cause.Stance;
import io.redrive.operations.CauseDifferences;
import io.redrive.operations.CauseView;
import io.redrive.operations.FixState;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.difference.Difference;
import io.redrive.operations.difference.Share;
import io.redrive.operations.difference.Subject;
import io.redrive.operations.difference.Trait;
import java.time.LocalDate;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Causes and comparisons as the API has them. */
final class CauseShapes {

    private CauseShapes() {}

    static CauseView view(Fields fields) {
        return new CauseView(cause(fields), fields.constant("status", CauseStatus.class), fields.number("letters"));
    }

    private static Cause cause(Fields fields) {
        return new Cause(
                fields.text("fingerprint"),
                fields.text("error_type"),
                fields.text("example"),
                fields.time("first_seen"),
                fields.list("sightings", CauseShapes::sighting),
                new Care(stance(fields), fields.text("owner"), fields.text("note"), fields.text("ticket")),
                fields.optional("merged_into"));
    }

    private static Sighting sighting(Fields fields) {
        return new Sighting(
                fields.text("day", LocalDate::parse),
                fields.text("name"),
                fields.optional("version", ServiceVersion::new),
                fields.number("letters"),
                fields.time("first"),
                fields.time("last"));
    }

    private static Stance stance(Fields fields) {
        if (fields.has("resolved_at")) {
            return new Stance.Resolved(fields.time("resolved_at"), fields.optional("fixed_in", ServiceVersion::new));
        }
        return fields.has("ignored_after")
                ? new Stance.Ignored(
                        fields.optionalTime("ignored_until"),
                        fields.optionalNumber("ignored_letters"),
                        fields.number("ignored_after"))
                : Stance.OPEN;
    }

    static FixState fix(Fields fields) {
        return switch (fields.text("state")) {
            case "no_node" -> new FixState.NoNode(fields.texts("names"));
            case "canary_due" -> new FixState.CanaryDue();
            case "pending" -> {
                SortedMap<String, ServiceVersion> older = new TreeMap<>();
                fields.members("older").forEach((node, version) -> older.put(node, new ServiceVersion(version.text())));
                yield new FixState.Pending(
                        fields.text("fixed_in", ServiceVersion::new), older, new TreeSet<>(fields.texts("unknown")));
            }
            default -> new FixState.NotApplicable();
        };
    }

    static CauseDifferences causeDifferences(Fields fields) {
        return new CauseDifferences(
                cause(fields.object("cause")),
                fields.number("letters"),
                fields.integer("compared"),
                fields.list("names", CauseShapes::differences));
    }

    static NameDifferences differences(Fields fields) {
        return new NameDifferences(
                fields.text("name"),
                fields.integer("letters"),
                new NameDifferences.Period(fields.time("died_from"), fields.time("died_until")),
                fields.integer("handled"),
                fields.optionalTime("handled_from")
                        .map(from -> new NameDifferences.Period(from, fields.time("handled_until"))),
                fields.number("handled_lately"),
                fields.isTrue("enough"),
                fields.list("differences", CauseShapes::difference));
    }

    private static Difference difference(Fields fields) {
        return new Difference(
                new Subject(fields.constant("subject", Subject.Kind.class), fields.text("of")),
                new Trait(fields.constant("trait", Trait.Kind.class), fields.text("value")),
                share(fields.object("letters")),
                share(fields.object("handled")));
    }

    private static Share share(Fields fields) {
        return new Share(fields.number("having"), fields.number("of"), fields.number("unknown"));
    }
}
