package io.redrive.operations;

import io.redrive.events.DeadLetters;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
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
public interface RedriveOperations {

    /**
     * Makes an operation of these letters and freezes its selection; no letter is sent before {@link #start}. A preview that is
     * not started disappears after {@link Redrives#PREVIEW_KEPT}.
     *
     * @throws io.redrive.events.RedriveRefusedException when a letter is pending in another operation
     */
    default RedriveOperation preview(LetterSelection letters, RedrivePlan plan) {
        return preview(letters, plan, operation -> {});
    }

    /** {@link #preview(LetterSelection, RedrivePlan)} that passes each state of a long selection to {@code progress}. */
    RedriveOperation preview(LetterSelection letters, RedrivePlan plan, Consumer<RedriveOperation> progress);

    /**
     * Returns the number of letters with redacted parts that a redrive of the selection leaves out. Such a letter waits until an
     * operator edits its payload, or selects it with {@link LetterSelection#withRedacted()}.
     */
    long leftOut(LetterSelection letters);

    /**
     * Returns what a redrive of these letters would take: without letters that were overtaken by a newer finished event of
     * their ordering key, unless the selection includes them.
     */
    Preview look(LetterSelection letters);

    /** Returns the number of letters that a redrive of this selection leaves out because they were overtaken. */
    long overtaken(LetterSelection letters);

    /** Starts a preview: nodes send its letters. */
    RedriveOperation start(String id);

    /** Sends no further letter until the operation is resumed. Events under way go on. */
    RedriveOperation pause(String id);

    /** Goes on after a pause. */
    RedriveOperation resume(String id);

    /** Ends an operation. Letters that were not sent stay dead letters; redriven events stay redriven. */
    RedriveOperation cancel(String id);

    /** Removes an ended operation, or a preview, with the results of its letters. */
    RedriveOperation dismiss(String id);

    /**
     * Returns operations, the newest first.
     *
     * @param limit the most operations to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<RedriveOperation> list(int limit);

    /** Returns the operation with this id; empty when it does not exist or was dismissed. */
    Optional<RedriveOperation> find(String id);

    /**
     * Returns letters of an operation with their results, by letter id.
     *
     * @param afterLetter start after this id; 0 for the first page
     * @param limit the most letters to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<RedrivenLetter> letters(String id, long afterLetter, int limit);

    /**
     * Follows an operation on this thread, and takes turns beside the nodes: operations go on without any node.
     *
     * @param until true when following should end; asked several times a second
     * @param progress is told each state of the operation
     * @return the last state; empty when the operation was dismissed
     */
    Optional<RedriveOperation> follow(String id, Predicate<RedriveOperation> until, Consumer<RedriveOperation> progress)
            throws InterruptedException;
}
