package io.redrive.console;

import io.redrive.events.DeadLetter;
import io.redrive.operations.LineDiff;
import io.redrive.operations.RepairCounts;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.RepairPreview;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/** Repairs the payloads of a scope with one expression: shows the effect on the first letters as differences, then applies it to all. */
final class RepairPage {

    /** The letters that the preview evaluates; a repair evaluates all. */
    private static final int TRIED = 200;

    private static final Set<String> NO_PATHS = Set.of();
    private static final int SHOWN = 5;

    /**
     * A letter that would change.
     *
     * @param letter the id of the letter
     * @param name the name of its event
     * @param lines the difference
     */
    record Sample(long letter, String name, List<LineDiff.Line> lines) {}

    /**
     * The facts of the page.
     *
     * @param scope the letters
     * @param letters the number of letters
     * @param expression the expression as typed
     * @param complaint why the expression cannot be used; empty when it can
     * @param effect the effect on the first letters; empty without an expression
     * @param samples some changed letters
     * @param paths the fields of the newest letters, to suggest; only without an expression
     */
    record View(
            Scope scope,
            long letters,
            String expression,
            String complaint,
            Optional<RepairPreview> effect,
            List<Sample> samples,
            Set<String> paths) {

        /** Returns the first line of the page. */
        String inWords() {
            if (effect.isEmpty()) {
                return "Repair the payloads of " + Format.counted(letters, "letter");
            }
            RepairCounts counts = effect.get().counts();
            String tried = counts.letters() < letters
                    ? "Of the first " + Format.counted(counts.letters(), "letter") + ", "
                    : "Of " + Format.counted(counts.letters(), "letter") + ", ";
            return tried + Format.number(counts.changed()) + " would change, " + Format.number(counts.unchanged())
                    + " would not, " + Format.number(counts.failing()) + " would fail";
        }
    }

    private final Renderer renderer;

    RepairPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        Scope scope = Scope.of(visit).frozenAt(visit.now().plusMillis(1));
        View view = view(visit, scope, visit.exactParam("expression"));
        HttpStatus status = view.complaint().isEmpty() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT;
        return renderer.html(status, visit, "repair", view);
    }

    private static View view(Visit visit, Scope scope, String text) {
        long letters = visit.operations().letters().preview(scope.selection()).letters();
        if (text.isBlank() || letters == 0) {
            List<DeadLetter> newest = visit.operations().letters().newest(scope.filter(), Long.MAX_VALUE, SHOWN);
            return new View(scope, letters, text, "", Optional.empty(), List.of(), PayloadPaths.fields(newest));
        }
        try {
            RepairPreview effect = visit.operations()
                    .repairs()
                    .preview(scope.selection().atMost(TRIED), RepairExpression.compile(text), SHOWN, progress -> {});
            List<Sample> samples =
                    effect.samples().stream().map(RepairPage::sample).toList();
            return new View(scope, letters, text, "", Optional.of(effect), samples, NO_PATHS);
        } catch (IllegalArgumentException e) {
            return new View(
                    scope, letters, text, String.valueOf(e.getMessage()), Optional.empty(), List.of(), NO_PATHS);
        }
    }

    private static Sample sample(RepairPreview.Sample sample) {
        return new Sample(
                sample.letter(),
                sample.name(),
                LineDiff.of(
                        PayloadView.text(sample.before(), sample.contentType()),
                        PayloadView.text(sample.after(), sample.contentType())));
    }

    ServerResponse apply(Visit visit) {
        Scope scope = Scope.of(visit);
        RepairExpression expression = RepairExpression.compile(visit.exactParam("expression"));
        RepairPreview all = visit.operations().repairs().preview(scope.selection(), expression, 0, progress -> {});
        RepairCounts counts = visit.operations().repairs().apply(all, expression, progress -> {});
        return Renderer.redirect(
                visit,
                "/redrive" + scope.query(),
                "Repaired: " + counts + ". Redrive the letters now; each payload before stays as a version.");
    }
}
