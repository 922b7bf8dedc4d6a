package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.DifferenceText;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterVersion;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.Operations;
import io.redrive.operations.difference.PayloadChanges;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "diff",
        description = {
            "Show how a dead letter differs: from another letter, from its payload before edits and repairs, or from handled"
                    + " events of its name.",
            "With one ID alone: an edited letter is compared with its payload as published, any other letter with handled"
                    + " events. Handled events are kept while the journal of the store is on; one letter proves nothing, so"
                    + " take the result as a lead. For all letters of a cause: redrive causes differs."
        })
final class DlqDiff extends LetterCommand {

    private static final int MAX_VALUE = 120;
    /** Below this number of handled events not even a value that none of them has is odd. */
    private static final int FEWEST_HANDLED = 200;

    @Parameters(index = "0", paramLabel = "ID", description = "The letter's id, or the event's.")
    private String id = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "The letter to compare with.")
    private @Nullable String other;

    @Option(names = "--handled", description = "Compare with handled events of the same name.")
    private boolean handled;

    @Option(names = "--original", description = "Compare with the payload as published.")
    private boolean original;

    @Option(
            names = "--version",
            paramLabel = "N",
            description = "Compare with an earlier payload, by its number in 'dlq show'.")
    private @Nullable Integer version;

    @Option(names = "--json", description = "One JSON object on one line.")
    private boolean json;

    DlqDiff(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        long targets = Stream.of(other != null, handled, original, version != null)
                .filter(given -> given)
                .count();
        if (targets > 1) {
            throw wrong("compare with one thing: OTHER, --handled, --original or --version");
        }
        DeadLetter letter = letter(operations.letters(), id);
        boolean edited = letter.originalPayload().isPresent();
        if (other != null) {
            another(letter, letter(operations.letters(), other));
        } else if (original || targets == 0 && edited) {
            published(letter);
        } else if (version != null) {
            earlier(letter, operations.letters().versions(letter.id()), version);
        } else {
            handled(
                    operations
                            .letters()
                            .differences(letter.id())
                            .orElseThrow(() -> wrong("letter " + letter.id() + " was redriven or purged meanwhile")),
                    letter);
        }
        return 0;
    }

    private void another(DeadLetter letter, DeadLetter second) {
        if (letter.id() == second.id()) {
            throw wrong("letter " + letter.id() + " cannot be compared with itself; give the id of another letter");
        }
        PayloadChanges changes = PayloadChanges.between(letter.event(), second.event());
        String left = "in letter " + letter.id();
        String right = "in letter " + second.id();
        if (!json) {
            boolean same = letter.fingerprint().equals(second.fingerprint());
            note(
                    same
                            ? "both died of cause " + Printable.line(letter.fingerprint())
                            : "they died of different causes: " + Printable.line(letter.fingerprint()) + " and "
                                    + Printable.line(second.fingerprint()));
        }
        changed("letters " + letter.id() + " and " + second.id(), changes, left, right);
    }

    private void published(DeadLetter letter) {
        if (letter.originalPayload().isEmpty()) {
            throw wrong(
                    "letter " + letter.id()
                            + " was never edited: its payload is the one that was published; compare with --handled or another letter");
        }
        Event before = withPayload(letter.event(), letter.originalPayload().get());
        changed(
                "letter " + letter.id() + " as published and now",
                PayloadChanges.between(before, letter.event()),
                "as published",
                "now");
    }

    private void earlier(DeadLetter letter, List<LetterVersion> versions, int number) {
        LetterVersion found = versions.stream()
                .filter(each -> each.number() == number)
                .findFirst()
                .orElseThrow(() -> wrong("letter " + letter.id() + " has no version " + number
                        + "; see: redrive dlq show " + letter.id() + onStore()));
        changed(
                "letter " + letter.id() + " in version " + number + " and now",
                PayloadChanges.between(withPayload(letter.event(), found.payload()), letter.event()),
                "in version " + number,
                "now");
    }

    private static Event withPayload(Event event, byte[] payload) {
        return event.toBuilder().payload(payload, event.contentType()).build();
    }

    private void changed(String subject, PayloadChanges changes, String left, String right) {
        if (json) {
            say(new JsonObject()
                    .put("compared", subject)
                    .put(
                            "changes",
                            changes.changes().stream()
                                    .map(change -> new JsonObject()
                                            .put("part", change.part())
                                            .put("left", change.left().orElse(null))
                                            .put("right", change.right().orElse(null)))
                                    .toList())
                    .put("more", changes.more()));
            return;
        }
        int count = changes.changes().size();
        say(paint().bold(subject)
                + (count == 0 ? " do not differ" : count == 1 ? ": 1 difference" : ": " + count + " differences"));
        changes.changes()
                .forEach(change -> say("  " + Printable.cut(Printable.line(change.part()), MAX_VALUE) + ": "
                        + shown(change.left(), left) + ", " + shown(change.right(), right)));
        if (changes.more()) {
            note("there are more differences than are shown, or a payload is too large to compare all of its fields");
        }
    }

    private static String shown(Optional<String> value, String where) {
        return value.map(text -> Printable.cut(Printable.line(text), MAX_VALUE)).orElse("missing") + " " + where;
    }

    private void handled(NameDifferences compared, DeadLetter letter) {
        if (json) {
            say(DifferenceText.json(compared).put("letter", letter.id()));
            return;
        }
        say(paint().bold("letter " + letter.id()) + "  " + DifferenceText.title(compared));
        List<String> sentences = DifferenceText.sentences(compared);
        sentences.forEach(sentence -> say("  " + sentence));
        if (sentences.isEmpty()) {
            say(
                    compared.handled() < FEWEST_HANDLED
                            ? "  nothing to tell: so few handled events differ from one letter by chance"
                            : "  nothing about the letter is odd among the handled events");
        } else if (compared.handled() > 0) {
            note(
                    "one letter proves nothing: of letters without an oddity, one in 20 shows one; for all letters of the cause: redrive"
                            + " causes differs " + Printable.shellWord(letter.fingerprint()) + onStore());
        }
    }
}
