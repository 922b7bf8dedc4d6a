package io.redrive.operations;

import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
import io.redrive.pipeline.RedriveRunner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What an operator may know and do about redrive operations: stored redrives of many letters, which any node carries on.
 * Thread-safe.
 *
 * <pre>{@code
 * LetterSelection letters = LetterSelection.matching(LetterFilter.ALL.withName("order.*"));
 * RedriveOperation preview = operations.redrives().preview(letters, RedrivePlan.CANARY);
 * operations.redrives().start(preview.id());
 * }</pre>
 *
 * <p>Methods that change an operation throw {@link io.redrive.events.RedriveRefusedException} when the operation does not exist
 * or its state does not allow the change.
 */
public final class RedriveOperations {

    /** Short, so that a caller that wants to stop need not wait. */
    private static final Duration NAP = Duration.ofMillis(200);

    private final Desk desk;

    RedriveOperations(Desk desk) {
        this.desk = desk;
    }

    /**
     * Makes an operation of these letters and freezes its selection; no letter is sent before {@link #start}. A preview that is
     * not started disappears after {@link Redrives#PREVIEW_KEPT}.
     *
     * @throws io.redrive.events.RedriveRefusedException when a letter is pending in another operation
     */
    public RedriveOperation preview(LetterSelection letters, RedrivePlan plan) {
        return preview(letters, plan, operation -> {});
    }

    /** {@link #preview(LetterSelection, RedrivePlan)} that passes each state of a long selection to {@code progress}. */
    public RedriveOperation preview(LetterSelection letters, RedrivePlan plan, Consumer<RedriveOperation> progress) {
        Redrives redrives = desk.permitted(Verb.REDRIVE).redrives();
        RedriveOrder order = order(letters, plan);
        RedriveOperation operation = redrives.select(order, desk.now());
        while (operation.state() instanceof RedriveState.Selecting) {
            progress.accept(operation);
            operation = redrives.select(order, desk.now());
        }
        return operation;
    }

    /**
     * Returns the number of letters with redacted parts that a redrive of the selection leaves out. Such a letter waits until an
     * operator edits its payload, or selects it with {@link LetterSelection#withRedacted()}.
     */
    public long leftOut(LetterSelection letters) {
        return letters.filter().redacted().isPresent()
                ? 0
                : desk.read().deadLetters().count(letters.filter().withRedacted(LetterFilter.Redacted.ONLY));
    }

    /**
     * Returns what a redrive of these letters would take: without letters that were overtaken by a newer finished event of
     * their ordering key, unless the selection includes them.
     */
    public Preview look(LetterSelection letters) {
        desk.read();
        return new LetterOperations(desk).preview(guarded(letters));
    }

    /** Returns the number of letters that a redrive of this selection leaves out because they were overtaken. */
    public long overtaken(LetterSelection letters) {
        EventStore store = desk.read();
        return letters.includesOvertaken() || guarded(letters) == letters
                ? 0
                : store.deadLetters().count(letters.frozenAt(desk.now()).withOvertaken(true));
    }

    /** Leaves overtaken letters out. A store that remembers no finished event has none. */
    private LetterSelection guarded(LetterSelection letters) {
        return desk.store().journal().since().isPresent() ? letters.forRedrive() : letters;
    }

    private RedriveOrder order(LetterSelection chosen, RedrivePlan plan) {
        LetterSelection letters = guarded(chosen);
        RedrivePlan limited = plan.withLimit(Math.min(plan.limit(), letters.limit()));
        String name = desk.operator().name();
        RedriveOrder order = letters.filter().equals(LetterFilter.ALL)
                ? RedriveOrder.ofAllLetters(limited, name)
                : RedriveOrder.of(letters.filter(), limited, name);
        return order.from(desk.operator().origin());
    }

    /** Starts a preview: nodes send its letters. */
    public RedriveOperation start(String id) {
        return change(id, RedriveChange.START, Verb.REDRIVE);
    }

    /** Sends no further letter until the operation is resumed. Events under way go on. */
    public RedriveOperation pause(String id) {
        return change(id, RedriveChange.PAUSE, Verb.PAUSE_REDRIVE);
    }

    /** Goes on after a pause. */
    public RedriveOperation resume(String id) {
        return change(id, RedriveChange.RESUME, Verb.RESUME_REDRIVE);
    }

    /** Ends an operation. Letters that were not sent stay dead letters; redriven events stay redriven. */
    public RedriveOperation cancel(String id) {
        return change(id, RedriveChange.CANCEL, Verb.CANCEL_REDRIVE);
    }

    /** Removes an ended operation, or a preview, with the results of its letters. */
    public RedriveOperation dismiss(String id) {
        RedriveOperation dismissed = change(id, RedriveChange.DISMISS, Verb.DISMISS_REDRIVE);
        int removed = desk.store().redrives().sweep(desk.now());
        while (removed > 0) {
            removed = desk.store().redrives().sweep(desk.now());
        }
        return dismissed;
    }

    private RedriveOperation change(String id, RedriveChange change, Verb verb) {
        return desk.permitted(verb).redrives().change(id, change, desk.command(verb, ""), desk.now());
    }

    /**
     * Returns operations, the newest first.
     *
     * @param limit the most operations to return, up to {@link DeadLetters#MAX_PAGE}
     */
    public List<RedriveOperation> list(int limit) {
        return desk.read().redrives().list(limit);
    }

    /** Returns the operation with this id; empty when it does not exist or was dismissed. */
    public Optional<RedriveOperation> find(String id) {
        return desk.read().redrives().find(id);
    }

    /**
     * Returns letters of an operation with their results, by letter id.
     *
     * @param afterLetter start after this id; 0 for the first page
     * @param limit the most letters to return, up to {@link DeadLetters#MAX_PAGE}
     */
    public List<RedrivenLetter> letters(String id, long afterLetter, int limit) {
        return desk.read().redrives().letters(id, afterLetter, limit);
    }

    /**
     * Follows an operation on this thread, and takes turns beside the nodes: operations go on without any node.
     *
     * @param until true when following should end; asked several times a second
     * @param progress is told each state of the operation
     * @return the last state; empty when the operation was dismissed
     */
    public Optional<RedriveOperation> follow(
            String id, Predicate<RedriveOperation> until, Consumer<RedriveOperation> progress)
            throws InterruptedException {
        Redrives redrives = desk.permitted(Verb.REDRIVE).redrives();
        RedriveRunner runner = new RedriveRunner(redrives, desk.operator().name());
        Optional<RedriveOperation> found = redrives.find(id);
        while (found.isPresent()) {
            progress.accept(found.get());
            if (until.test(found.get())) {
                return found;
            }
            runner.work(desk.now());
            Duration wait = Duration.between(desk.now(), runner.next());
            if (wait.compareTo(Duration.ZERO) > 0) {
                desk.time().sleep(wait.compareTo(NAP) < 0 ? wait : NAP);
            }
            found = redrives.find(id);
        }
        return found;
    }
}
