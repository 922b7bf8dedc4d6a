package io.redrive.console;

import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import io.redrive.events.NamePattern;
import io.redrive.operations.LineDiff;
import io.redrive.operations.PolicyOperations;
import io.redrive.operations.policy.PolicyDraft;
import io.redrive.operations.policy.PolicyReplay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/** The playground of policies: shows schedule, worst case and replay of a change before an operator shares the change with all nodes. */
final class PolicyDraftPage {

    private static final int ROWS_SHOWN = 30;

    /**
     * The effect of a change.
     *
     * @param draft the change
     * @param before the schedule now, drawn
     * @param after the schedule after the change, drawn on the same scale
     * @param schedule the waits after the change
     * @param warnings settings that look like mistakes
     * @param difference the lines of the shared settings that would change
     */
    record Effect(
            PolicyDraft draft,
            ScheduleDrawing before,
            ScheduleDrawing after,
            Schedule schedule,
            List<String> warnings,
            List<LineDiff.Line> difference) {

        List<Schedule.Row> rows() {
            return schedule.rows()
                    .subList(0, Math.min(ROWS_SHOWN, schedule.rows().size()));
        }

        int moreRows() {
            return schedule.rows().size() - rows().size();
        }

        static String inWords(RetryPolicy policy) {
            return policy.maxAttempts() == 1
                    ? "1 attempt, no retry"
                    : Format.counted(policy.maxAttempts(), "attempt") + ", waits of at most "
                            + ScheduleDrawing.worstCase(policy);
        }
    }

    /**
     * The facts of the page.
     *
     * @param form the settings as typed
     * @param stamp the shared settings that the form began with
     * @param complaint why the settings cannot be used; empty when they can
     * @param effect the effect of the settings; empty with a complaint
     */
    record View(PolicyForm form, String stamp, String complaint, Optional<Effect> effect) {

        /** Returns the first line of the page. */
        String inWords() {
            if (effect.isEmpty()) {
                return form.pattern() + ": these settings cannot be used.";
            }
            PolicyDraft draft = effect.get().draft();
            String now = form.pattern() + ": " + Effect.inWords(draft.policyBefore());
            return draft.isEmpty()
                    ? now + "."
                    : now + " now; " + Effect.inWords(draft.policyAfter()) + " after the change.";
        }
    }

    /**
     * The facts of the page with the replay.
     *
     * @param form the settings as typed
     * @param replay what the settings would have done
     */
    record ReplayView(PolicyForm form, PolicyReplay replay) {}

    private final Renderer renderer;

    PolicyDraftPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        PolicyForm form = PolicyForm.of(visit, visit.operations().policies().shared());
        View view = view(visit, form);
        // A live part is replaced only by an answer without an error.
        HttpStatus status =
                view.complaint().isEmpty() || visit.isLive() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT;
        return renderer.html(status, visit, "policydraft", view);
    }

    private static View view(Visit visit, PolicyForm form) {
        Map<String, Map<String, String>> shared = visit.operations().policies().shared();
        String stamp = PolicyForm.text(shared.getOrDefault(form.pattern(), Map.of()));
        try {
            return new View(form, stamp, "", Optional.of(effect(draft(visit, form, shared), form)));
        } catch (IllegalArgumentException e) {
            return new View(form, stamp, String.valueOf(e.getMessage()), Optional.empty());
        }
    }

    private static PolicyDraft draft(Visit visit, PolicyForm form, Map<String, Map<String, String>> shared) {
        NamePattern pattern = new NamePattern(form.pattern());
        Map<String, String> before = shared.getOrDefault(pattern.text(), Map.of());
        return PolicyDraft.of(pattern, form.change(before), visit.policies(), shared);
    }

    private static Effect effect(PolicyDraft draft, PolicyForm form) {
        Duration one = ScheduleDrawing.scaleOf(draft.policyBefore());
        Duration other = ScheduleDrawing.scaleOf(draft.policyAfter());
        Duration scale = one.compareTo(other) > 0 ? one : other;
        Schedule schedule = draft.policyAfter().explain();
        List<String> warnings = new ArrayList<>(schedule.warnings());
        warnings.addAll(form.unused());
        return new Effect(
                draft,
                ScheduleDrawing.of(draft.policyBefore(), scale),
                ScheduleDrawing.of(draft.policyAfter(), scale),
                schedule,
                warnings,
                draft.isEmpty()
                        ? List.of()
                        : LineDiff.of(PolicyForm.text(draft.sharedBefore()), PolicyForm.text(draft.sharedAfter())));
    }

    ServerResponse replay(Visit visit) {
        PolicyOperations policies = visit.operations().policies();
        Map<String, Map<String, String>> shared = policies.shared();
        PolicyForm form = PolicyForm.of(visit, shared);
        PolicyReplay replay = policies.replay(draft(visit, form, shared));
        return renderer.html(visit, "policyreplay", new ReplayView(form, replay));
    }

    ServerResponse save(Visit visit) {
        PolicyOperations policies = visit.operations().policies();
        Map<String, Map<String, String>> shared = policies.shared();
        PolicyForm form = PolicyForm.of(visit, shared);
        String stamp = PolicyForm.text(shared.getOrDefault(form.pattern(), Map.of()));
        if (!lines(visit.exactParam("before")).equals(lines(stamp))) {
            View view = view(visit, form);
            String complaint = "Somebody changed the shared settings of " + form.pattern()
                    + " since this page was shown. Nothing was saved: compare again, then save.";
            return renderer.html(
                    HttpStatus.CONFLICT, visit, "policydraft", new View(form, stamp, complaint, view.effect()));
        }
        PolicyDraft draft = draft(visit, form, shared);
        policies.change(draft.pattern(), form.change(draft.sharedBefore()));
        return Renderer.redirect(
                visit, "/policies", draft.pattern() + " has " + draft.policyAfter() + " on all nodes within a second.");
    }

    /** A form sends the ends of lines in another way than it got them. */
    private static List<String> lines(String text) {
        return text.lines().toList();
    }

    ServerResponse remove(Visit visit) {
        NamePattern pattern = new NamePattern(visit.param("pattern"));
        boolean existed = visit.operations().policies().shared().containsKey(pattern.text());
        visit.operations().policies().change(pattern, Map.of());
        return Renderer.redirect(
                visit,
                "/policies",
                existed
                        ? "The shared settings of " + pattern + " are removed: each node has its own policy again."
                        : pattern + " had no shared settings.");
    }
}
