package io.redrive.console;

import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveState;
import io.redrive.events.RedrivenLetter;
import io.redrive.operations.CauseView;
import io.redrive.operations.Proposal;
import io.redrive.operations.RedriveOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists redrive operations, shows one with its progress and results, and obeys commands about it. */
final class OperationsPage {

    private static final int LISTED = 100;
    private static final int LETTERS = 100;
    private static final int FULL = 100;

    private static final Map<String, BiFunction<RedriveOperations, String, RedriveOperation>> COMMANDS = Map.of(
            "start", RedriveOperations::start,
            "pause", RedriveOperations::pause,
            "resume", RedriveOperations::resume,
            "cancel", RedriveOperations::cancel,
            "dismiss", RedriveOperations::dismiss);

    private static final Map<String, String> DONE = Map.of(
            "start", "started",
            "pause", "paused: no further letter is sent",
            "resume", "resumed",
            "cancel", "cancelled: letters that were not sent are still dead letters",
            "dismiss", "dismissed");

    /**
     * The facts of the list.
     *
     * @param operations the operations, the newest first
     * @param proposals commands that wait for the decision of a person
     */
    record Listing(List<RedriveOperation> operations, List<Proposal> proposals) {

        /** Returns the first line of the page. */
        String inWords() {
            long active = operations.stream()
                    .filter(operation -> operation.state().isActive())
                    .count();
            long waiting = operations.stream()
                    .filter(operation ->
                            !operation.state().isActive() && !operation.state().isEnded())
                    .count();
            List<String> parts = new ArrayList<>();
            if (active > 0) {
                parts.add(Format.counted(active, "operation") + " under way");
            }
            if (waiting > 0) {
                parts.add(Format.counted(waiting, "operation") + " waiting for an operator");
            }
            if (!proposals.isEmpty()) {
                parts.add(Format.counted(proposals.size(), "proposal") + " waiting for a decision");
            }
            if (parts.isEmpty()) {
                return operations.isEmpty() ? "No operation yet." : "Nothing is under way.";
            }
            return String.join("; ", parts) + ".";
        }

        boolean isRunning() {
            return operations.stream().anyMatch(operation -> operation.state().isActive());
        }
    }

    /**
     * A cause of an operation.
     *
     * @param fingerprint the cause
     * @param errorType the error type; empty when the cause is unknown
     * @param letters the number of its letters
     */
    record OperationCause(String fingerprint, String errorType, long letters) {}

    /**
     * The facts of one operation.
     *
     * @param operation the operation
     * @param selected the causes of its letters
     * @param returned the causes of letters that died again
     * @param letters some letters with their results
     * @param next the link to more letters; empty on the last page
     */
    record View(
            RedriveOperation operation,
            List<OperationCause> selected,
            List<OperationCause> returned,
            List<RedrivenLetter> letters,
            String next) {

        /** Returns the state and the counts of the operation as a sentence. */
        String inWords() {
            return OperationsPage.inWords(operation);
        }
    }

    private final Renderer renderer;

    OperationsPage(Renderer renderer) {
        this.renderer = renderer;
    }

    static String inWords(RedriveOperation operation) {
        var counts = operation.counts();
        RedriveState state = operation.state();
        String sent =
                Format.number(counts.redriven()) + " of " + Format.counted(counts.selected(), "letter") + " sent, "
                        + Format.number(counts.done()) + " done"
                        + (counts.deadAgain() > 0 ? ", " + Format.number(counts.deadAgain()) + " dead again" : "");
        if (state instanceof RedriveState.Halted halted) {
            return "Halted: " + halted.why() + ". " + sent + ".";
        }
        if (state instanceof RedriveState.Previewed) {
            return Format.counted(counts.selected(), "letter") + " selected; nothing was sent yet.";
        }
        String code = state.code();
        return Character.toUpperCase(code.charAt(0)) + code.substring(1) + ": " + sent + ".";
    }

    /** Returns the part of the letters in percent. */
    static int percent(RedriveOperation operation, long letters) {
        long all = operation.counts().selected();
        return all == 0 ? 0 : (int) (FULL * letters / all);
    }

    /** Returns the result of a letter in words: what was pending when the operation ended is never sent. */
    static String result(RedrivenLetter letter, RedriveState state) {
        return state.isEnded() && letter.result() == RedrivenLetter.Result.PENDING
                ? "not sent"
                : letter.result().code().replace('_', ' ');
    }

    /** Returns the current stage of a canary in words; empty without stages. */
    static String stage(RedriveOperation operation) {
        List<Integer> stages = operation.plan().stages();
        if (stages.isEmpty()) {
            return "";
        }
        int at = operation.pace().stage();
        String size = at < stages.size() ? Format.counted(stages.get(at), "letter") : "all others";
        return "stage " + (Math.min(at, stages.size()) + 1) + " of " + (stages.size() + 1) + " (" + size + ")";
    }

    ServerResponse list(Visit visit) {
        return renderer.html(
                visit,
                "operations",
                new Listing(visit.operations().redrives().list(LISTED), ProposalsPage.waiting(visit)));
    }

    ServerResponse show(Visit visit) {
        String id = visit.path("id");
        RedriveOperation operation = visit.operations()
                .redrives()
                .find(id)
                .orElseThrow(() -> Refusal.missing(
                                "No operation has the id " + Format.brief(id, 60) + ".",
                                "The operation may have been dismissed; the record of actions keeps what it did.")
                        .leadingTo("/record", "Show the record"));
        long after = visit.param("after").isEmpty() ? 0 : Scope.id(visit.param("after"));
        List<RedrivenLetter> letters = visit.operations().redrives().letters(id, after, LETTERS);
        String next = letters.size() < LETTERS
                ? ""
                : visit.url(
                        "/operations/" + Query.encoded(id),
                        Query.NONE.plus(
                                "after", String.valueOf(letters.get(LETTERS - 1).letter())));
        View view = new View(
                operation,
                causes(visit, operation.causes().selected()),
                causes(visit, operation.causes().returned()),
                letters,
                next);
        return renderer.html(visit, "operation", view);
    }

    private static List<OperationCause> causes(Visit visit, Map<String, Long> letters) {
        return letters.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(10)
                .map(cause -> new OperationCause(cause.getKey(), errorType(visit, cause.getKey()), cause.getValue()))
                .toList();
    }

    private static String errorType(Visit visit, String fingerprint) {
        Optional<CauseView> cause = visit.operations().causes().find(fingerprint);
        return cause.map(found -> found.cause().errorType()).orElse("");
    }

    ServerResponse command(Visit visit) {
        String id = visit.path("id");
        String command = visit.path("command");
        var change = COMMANDS.get(command);
        if (change == null) {
            throw Refusal.missing(
                    "No command is called " + Format.brief(command, 40) + ".", "Go back to the operation.");
        }
        change.apply(visit.operations().redrives(), id);
        String path = command.equals("dismiss") ? "/operations" : "/operations/" + Query.encoded(id);
        return Renderer.redirect(visit, path, "Operation " + id + " " + DONE.get(command) + ".");
    }
}
