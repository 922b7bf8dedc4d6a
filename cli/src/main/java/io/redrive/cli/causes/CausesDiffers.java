package io.redrive.cli.causes;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.DifferenceText;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.Causes;
import io.redrive.operations.CauseDifferences;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.Operations;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(
        name = "differs",
        description = {
            "Show what separates the letters of a cause from events of the same name that were handled: payload fields,"
                    + " headers, sources, times, nodes and versions, the strongest difference first.",
            "Compares the newest 1,000 letters with up to 1,000 handled events, which nodes keep while the journal of their"
                    + " store is on. Where nothing separates them, one comparison in 1,000 shows a difference by chance."
        })
final class CausesDiffers extends CauseCommand {

    private static final int MAX_SUGGESTED = 5;

    CausesDiffers(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        CauseDifferences compared = operations
                .causes()
                .differences(fingerprint())
                .orElseThrow(() -> new CommandFailed("no cause has the fingerprint '" + Printable.line(fingerprint())
                        + "'" + suggestion(operations) + "; see: redrive causes list" + onStore()));
        if (json()) {
            say(json(compared));
        } else {
            show(compared);
        }
        return 0;
    }

    /** Names causes whose fingerprint begins like a fingerprint that was not typed to its end. */
    private String suggestion(Operations operations) {
        List<String> alike = operations.causes().latest(Causes.MAX_PAGE).stream()
                .map(view -> view.cause().fingerprint())
                .filter(known -> !fingerprint().isEmpty() && known.startsWith(fingerprint()))
                .limit(MAX_SUGGESTED)
                .toList();
        return alike.isEmpty() ? "" : "; give it whole: " + String.join(", ", alike);
    }

    private void show(CauseDifferences compared) {
        String fingerprint = Printable.line(compared.cause().fingerprint());
        say(paint().bold("cause " + fingerprint) + "  " + letters(compared) + ", "
                + Printable.line(CauseText.error(compared.cause())));
        if (compared.letters() == 0) {
            say(compared.cause()
                    .mergedInto()
                    .map(into -> "it was merged into another cause; see: redrive causes differs "
                            + Printable.shellWord(into) + onStore())
                    .orElse("it has no letters any more, so there is nothing to compare"));
        }
        if (compared.names().size() == CauseDifferences.MAX_NAMES) {
            note("compared are the " + CauseDifferences.MAX_NAMES + " event names with most letters");
        }
        for (NameDifferences name : compared.names()) {
            say(DifferenceText.title(name));
            List<String> sentences = DifferenceText.sentences(name);
            sentences.forEach(sentence -> say("  " + sentence));
            if (sentences.isEmpty()) {
                say("  " + nothing(name));
            }
        }
    }

    private static String letters(CauseDifferences compared) {
        String all = DifferenceText.number(compared.letters()) + (compared.letters() == 1 ? " letter" : " letters");
        return compared.compared() < compared.letters()
                ? "the newest " + DifferenceText.number(compared.compared()) + " of " + all
                : all;
    }

    private String nothing(NameDifferences name) {
        if (name.enough()) {
            return "nothing separates the letters from the handled events";
        }
        return "nothing to tell: so few letters or handled events differ by chance. For a lead, compare one letter: redrive dlq"
                + " diff ID --handled" + onStore();
    }

    private static JsonObject json(CauseDifferences compared) {
        return new JsonObject()
                .put("fingerprint", compared.cause().fingerprint())
                .put("letters", compared.letters())
                .put("compared", compared.compared())
                .put("merged_into", compared.cause().mergedInto().orElse(null))
                .put(
                        "names",
                        compared.names().stream().map(DifferenceText::json).collect(Collectors.toList()));
    }
}
