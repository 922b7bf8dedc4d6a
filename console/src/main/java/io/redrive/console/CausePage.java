package io.redrive.console;

import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.PayloadField;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.CauseDifferences;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import io.redrive.operations.FixState;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.Proposal;
import io.redrive.operations.difference.Difference;
import io.redrive.operations.difference.Subject;
import io.redrive.operations.difference.Trait;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows one cause with example letters, and obeys commands about it: assign, note, ticket, ignore, resolve, reopen, merge. */
final class CausePage {

    private static final int EXAMPLES = 10;
    private static final int OTHERS = 100;
    /** Stands for any element of an array in the pointer of a difference. */
    private static final String ANY_ELEMENT = "*";

    /**
     * The facts of the page.
     *
     * @param view the cause
     * @param fix whether its letters may be redriven
     * @param versions the letters beside the versions of the service
     * @param chart the letters and versions along time; empty for a cause without sightings
     * @param letters the newest letters
     * @param others causes to merge with
     * @param proposals waiting proposals about the cause
     */
    record View(
            CauseView view,
            FixState fix,
            CauseVersions versions,
            Optional<CauseChart> chart,
            List<DeadLetter> letters,
            List<CauseView> others,
            List<Proposal> proposals) {

        Query scope() {
            return Query.NONE.plus("cause", view.cause().fingerprint());
        }

        /** Returns the next step in words. */
        String inWords() {
            if (view.cause().mergedInto().isPresent()) {
                return "Merged into another cause.";
            }
            if (fix instanceof FixState.CanaryDue) {
                return "All nodes have the fix: redrive the letters as a canary.";
            }
            if (fix instanceof FixState.Pending pending) {
                return "Waiting for version " + pending.fixedIn() + " on "
                        + Format.counted(
                                pending.older().size() + pending.unknown().size(), "node") + ".";
            }
            if (fix instanceof FixState.NoNode) {
                return "No live node handles these events.";
            }
            return "";
        }

        /** Returns the ticket when a browser may follow it. */
        Optional<String> ticketLink() {
            return Optional.of(view.cause().care().ticket()).filter(link -> link.matches("https?://\\S+"));
        }
    }

    private static final Map<String, BiFunction<CauseOperations, Visit, Optional<CauseView>>> COMMANDS = Map.of(
            "assign", (causes, visit) -> causes.assign(fingerprint(visit), visit.param("owner")),
            "note",
                    (causes, visit) ->
                            causes.note(fingerprint(visit), visit.param("note").replace("\r\n", "\n")),
            "ticket", (causes, visit) -> causes.ticket(fingerprint(visit), visit.param("ticket")),
            "reopen", (causes, visit) -> causes.reopen(fingerprint(visit)),
            "resolve", (causes, visit) -> causes.resolve(fingerprint(visit), version(visit)),
            "ignore", (causes, visit) -> causes.ignore(fingerprint(visit), until(visit), letters(visit)));

    private final Renderer renderer;

    CausePage(Renderer renderer) {
        this.renderer = renderer;
    }

    private static String fingerprint(Visit visit) {
        return visit.param("cause");
    }

    ServerResponse show(Visit visit) {
        CauseView view = visit.operations()
                .causes()
                .find(fingerprint(visit))
                .orElseThrow(() -> Refusal.missing(
                                "No cause has the fingerprint " + Format.brief(fingerprint(visit), 60) + ".",
                                "The list of causes shows the causes that the store remembers.")
                        .leadingTo("/causes", "Show the causes"));
        LetterFilter filter = LetterFilter.ALL.withFingerprint(view.cause().fingerprint());
        List<DeadLetter> newest = visit.operations().letters().newest(filter, Long.MAX_VALUE, EXAMPLES);
        CauseVersions versions =
                CauseVersions.of(view.cause(), visit.operations().nodes(), visit.now());
        return renderer.html(
                visit,
                "cause",
                new View(
                        view,
                        visit.operations().causes().fix(view),
                        versions,
                        view.cause().sightings().isEmpty()
                                ? Optional.empty()
                                : Optional.of(CauseChart.of(view.cause(), versions, visit.now())),
                        newest,
                        visit.operations().causes().latest(OTHERS).stream()
                                .filter(other -> !other.cause()
                                        .fingerprint()
                                        .equals(view.cause().fingerprint()))
                                .toList(),
                        ProposalsPage.about(visit, view.cause().fingerprint())));
    }

    /** Compares the letters of the cause with handled events. A page of its own: the comparison reads many payloads. */
    ServerResponse differs(Visit visit) {
        CauseDifferences differences = visit.operations()
                .causes()
                .differences(fingerprint(visit))
                .orElseThrow(() -> Refusal.missing(
                        "No cause has the fingerprint " + Format.brief(fingerprint(visit), 60) + ".",
                        "The list of causes shows the causes that the store remembers."));
        return renderer.html(visit, "differs", differences);
    }

    /** Returns the reason for a comparison without differences; empty for a comparison with differences. */
    static String whyNoDifference(NameDifferences compared) {
        if (!compared.differences().isEmpty()) {
            return "";
        }
        if (compared.handled() > 0) {
            return compared.enough()
                    ? "Nothing separates these letters from handled events."
                    : "Too few letters or handled events to tell a difference from chance.";
        }
        return compared.handledLately() == 0
                ? "No event of this name was handled within the last 48 hours: there is nothing to compare with."
                : Format.counted(compared.handledLately(), "event")
                        + " of this name were handled within the last 48 hours, but"
                        + " no sample was kept. Switch the journal of the store on to keep one.";
    }

    /** Returns the filter of letters with a difference; empty for a difference that no filter can say. */
    static Optional<Query> lettersWith(String fingerprint, String name, Difference difference) {
        String pointer = difference.subject().name();
        boolean field = difference.subject().kind() == Subject.Kind.FIELD
                && difference.trait().kind() == Trait.Kind.EQUALS
                && difference.letters().having() > 0
                && !pointer.isEmpty()
                && !Arrays.asList(pointer.split("/")).contains(ANY_ELEMENT);
        if (!field) {
            return Optional.empty();
        }
        String value = difference.trait().value().replaceAll("^\"(.*)\"$", "$1");
        try {
            PayloadField wanted = new PayloadField(pointer, value);
            return Optional.of(
                    Query.NONE.plus("name", name).plus("cause", fingerprint).plus("payload", wanted.toString()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    ServerResponse command(Visit visit) {
        String command = visit.path("command");
        if (command.equals("merge")) {
            return merge(visit);
        }
        var change = COMMANDS.get(command);
        if (change == null) {
            throw Refusal.missing("No command is called " + Format.brief(command, 40) + ".", "Go back to the cause.");
        }
        CauseView after = change.apply(visit.operations().causes(), visit)
                .orElseThrow(() -> Refusal.missing(
                        "No cause has the fingerprint " + Format.brief(fingerprint(visit), 60) + ".",
                        "Nothing was changed."));
        return Renderer.redirect(
                visit,
                path(after.cause().fingerprint()),
                "Recorded: " + command + ". The cause is " + after.status().code() + ".");
    }

    private static String path(String fingerprint) {
        return "/cause" + Query.NONE.plus("cause", fingerprint);
    }

    private ServerResponse merge(Visit visit) {
        String into = visit.param("into");
        long moved = visit.operations().causes().merge(fingerprint(visit), into, progress -> {});
        return Renderer.redirect(visit, path(into), Format.counted(moved, "letter") + " moved to this cause.");
    }

    private static Optional<ServiceVersion> version(Visit visit) {
        String version = visit.param("version");
        return version.isEmpty() ? Optional.empty() : Optional.of(new ServiceVersion(version));
    }

    private static Optional<Instant> until(Visit visit) {
        String days = visit.param("days");
        return days.isEmpty() ? Optional.empty() : Optional.of(visit.now().plus(Duration.ofDays(number("days", days))));
    }

    private static OptionalLong letters(Visit visit) {
        String letters = visit.param("letters");
        return letters.isEmpty() ? OptionalLong.empty() : OptionalLong.of(number("letters", letters));
    }

    private static long number(String field, String text) {
        if (!text.matches("\\d{1,6}")) {
            throw new IllegalArgumentException(field + " must be a whole number, got '" + Format.brief(text, 40) + "'");
        }
        return Long.parseLong(text);
    }
}
