package io.redrive.cli.command;

import io.redrive.cli.terminal.Printable;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.difference.Difference;
import io.redrive.operations.difference.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Comparisons of letters with handled events, in words and as JSON. */
public final class DifferenceText {

    private DifferenceText() {}

    /** Returns what was compared, for the line above the differences. */
    public static String title(NameDifferences compared) {
        String letters = count(compared.letters(), "letter");
        String handled = compared.sampled()
                .map(period -> "compared with " + count(compared.handled(), "handled event") + " (handled "
                        + period.from() + " to " + period.until() + ")")
                .orElse("no handled events to compare with");
        return Printable.line(compared.name()) + ": " + letters + " (died "
                + compared.died().from()
                + (compared.letters() == 1 ? "" : " to " + compared.died().until()) + "), " + handled;
    }

    /** Returns the differences as sentences, the strongest first; otherwise why there are none. */
    public static List<String> sentences(NameDifferences compared) {
        if (compared.handled() == 0) {
            return List.of(
                    compared.handledLately() == 0
                            ? "no event of this name was handled within the last 48 hours: nothing to compare with"
                            : number(compared.handledLately()) + " events of this name were handled within the last 48"
                                    + " hours, but no sample of them was kept: the journal is off. Switch it on where"
                                    + " the pipeline opens its store, with withJournal(Duration.ofHours(24)) of SqliteOptions"
                                    + " or PostgresOptions; a node writes its sample once a minute");
        }
        List<String> sentences = new ArrayList<>();
        compared.differences().forEach(difference -> sentences.add(Printable.line(difference.sentence())));
        return sentences;
    }

    /** Returns the comparison as a JSON object. */
    public static JsonObject json(NameDifferences compared) {
        JsonObject json = new JsonObject()
                .put("name", compared.name())
                .put("letters", compared.letters())
                .put("died_from", compared.died().from())
                .put("died_until", compared.died().until())
                .put("handled", compared.handled())
                .put(
                        "handled_from",
                        compared.sampled().map(NameDifferences.Period::from).orElse(null))
                .put(
                        "handled_until",
                        compared.sampled().map(NameDifferences.Period::until).orElse(null))
                .put("handled_lately", compared.handledLately())
                .put("enough", compared.enough());
        return json.put(
                "differences",
                compared.differences().stream().map(DifferenceText::json).toList());
    }

    private static JsonObject json(Difference difference) {
        return new JsonObject()
                .put("subject", difference.subject().kind().code())
                .put("of", difference.subject().name())
                .put("trait", difference.trait().kind().code())
                .put("value", difference.trait().value())
                .put("letters", json(difference.letters()))
                .put("handled", json(difference.handled()))
                .put("sentence", difference.sentence());
    }

    private static JsonObject json(Share share) {
        return new JsonObject()
                .put("having", share.having())
                .put("of", share.of())
                .put("unknown", share.unknown());
    }

    private static String count(long count, String noun) {
        return number(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** Returns a number with commas. */
    public static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
