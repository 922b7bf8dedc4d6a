package io.redrive.console;

import io.redrive.events.LetterGroup;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Preview;
import io.redrive.operations.Verb;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows what a redrive or a purge of a scope would do, then does it. The scope is frozen when the page is shown. */
final class RedrivePage {

    private static final int CAUSES = 20;
    static final String OVERTAKEN = "overtaken";
    static final String REDACTED = "redacted";
    static final String INCLUDE = "include";

    private static final int CANARY_FROM = 10;

    /**
     * The facts of both pages.
     *
     * @param scope the letters, frozen
     * @param preview the number of letters, and ids without a letter
     * @param left the letters that the redrive leaves out
     * @param causes the causes of the letters, the largest first
     * @param complaint why the last try was refused; empty for none
     */
    record View(Scope scope, Preview preview, LeftOut left, List<LetterGroup> causes, String complaint) {

        SortedSet<String> names() {
            return causes.stream()
                    .flatMap(cause -> cause.names().stream())
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** Returns true when a canary is the safer choice: the letters are many. */
        boolean isCanary() {
            return preview.letters() >= CANARY_FROM;
        }
    }

    /**
     * Letters that a redrive leaves out unless the operator asks for them.
     *
     * @param overtaken letters whose ordering key has a newer event that finished: redriven, they would bring old data back
     * @param redacted letters whose payload was stored with replaced values
     */
    record LeftOut(long overtaken, long redacted) {
        static final LeftOut NONE = new LeftOut(0, 0);
    }

    private final Renderer renderer;

    RedrivePage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        Operations operations = visit.operations();
        Scope scope = scope(visit);
        LetterSelection letters = selection(visit, scope);
        Preview look = operations.redrives().look(letters);
        // A letter that is overtaken and redacted counts once, as overtaken.
        long redacted = operations
                .redrives()
                .leftOut(
                        letters.includesOvertaken()
                                        || letters.filter().redacted().isPresent()
                                ? letters
                                : LetterSelection.matching(letters.filter().withOvertaken(false)));
        Preview taken = new Preview(look.filter(), look.letters() - redacted, look.missing());
        LeftOut left = new LeftOut(operations.redrives().overtaken(letters), redacted);
        View view = new View(scope, taken, left, operations.letters().groups(scope.filter(), CAUSES), "");
        return renderer.html(visit, "redrive", view);
    }

    /** Returns the scope of the request. The moment after now: letters that the operator has just seen are part of the scope. */
    private static Scope scope(Visit visit) {
        return Scope.of(visit).frozenAt(visit.now().plusMillis(1));
    }

    /** Returns the letters to redrive, with those that the operator asks for explicitly. */
    private static LetterSelection selection(Visit visit, Scope scope) {
        LetterSelection letters = scope.selection();
        letters = visit.param(OVERTAKEN).equals(INCLUDE) ? letters.includingOvertaken() : letters;
        return visit.param(REDACTED).equals(INCLUDE) ? letters.withRedacted() : letters;
    }

    /** Returns the parameters of the scope and of the letters that the operator asks for explicitly. */
    static Query asked(Visit visit, Scope scope) {
        return scope.query().plus(OVERTAKEN, visit.param(OVERTAKEN)).plus(REDACTED, visit.param(REDACTED));
    }

    private static View view(Visit visit, String complaint) {
        Operations operations = visit.operations();
        Scope scope = scope(visit);
        return new View(
                scope,
                operations.letters().preview(scope.selection()),
                LeftOut.NONE,
                operations.letters().groups(scope.filter(), CAUSES),
                complaint);
    }

    ServerResponse start(Visit visit) {
        Scope scope = Scope.of(visit);
        RedriveOperation preview = visit.operations().redrives().preview(selection(visit, scope), plan(visit));
        RedriveOperation started = visit.operations().redrives().start(preview.id());
        return Renderer.redirect(
                visit,
                "/operations/" + Query.encoded(started.id()),
                "Redrive of " + Format.counted(started.counts().selected(), "letter") + " started.");
    }

    private static RedrivePlan plan(Visit visit) {
        RedrivePlan plan = visit.param("mode").equals("all") ? RedrivePlan.ALL_AT_ONCE : RedrivePlan.CANARY;
        String rate = visit.param("rate");
        if (rate.isEmpty()) {
            return plan;
        }
        try {
            return plan.withPerSecond(Double.parseDouble(rate));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "rate must be a number of letters per second, got '" + Format.brief(rate, 40) + "'");
        }
    }

    ServerResponse askPurge(Visit visit) {
        return renderer.html(visit, "purge", view(visit, ""));
    }

    /** Deletes only when the operator has typed the number of letters that the page told. */
    ServerResponse purge(Visit visit) {
        if (!visit.may(Verb.PURGE)) {
            // Refused by the facade, with the reason.
            visit.operations().letters().purge(new Preview(Scope.of(visit).filter(), 0, List.of()), progress -> {});
        }
        View view = view(visit, "");
        String typed = visit.param("count").replace(",", "").replace(" ", "");
        String wanted = String.valueOf(view.preview().letters());
        if (!typed.equals(wanted)) {
            String complaint = "type " + wanted + " to delete these letters for good; got '"
                    + Format.brief(visit.param("count"), 40) + "'. Nothing was deleted.";
            return renderer.html(HttpStatus.UNPROCESSABLE_CONTENT, visit, "purge", view(visit, complaint));
        }
        long purged = visit.operations().letters().purge(view.preview(), progress -> {});
        return Renderer.redirect(visit, "/letters", Format.counted(purged, "letter") + " deleted for good.");
    }
}
