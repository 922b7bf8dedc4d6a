package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The stored redrive operations: the cold port by which operators order redrives and nodes carry them out. Thread-safe.
 *
 * <p>An operation begins as a preview, whose selection is written letter by letter and then frozen: letters that die,
 * are edited or are imported later do not join it. After its start, nodes {@linkplain #turn take turns}: each turn is
 * one transaction that sends letters, looks for events that have ended, or ends the operation. Nothing of an operation
 * is in the memory of a process, so every process may die at any moment, and any node goes on.
 *
 * <pre>{@code
 * RedriveOrder order = RedriveOrder.of(LetterFilter.ALL.withName("order.*"), RedrivePlan.CANARY, "ann");
 * RedriveOperation preview = store.redrives().preview(order, time.now());
 * store.redrives().change(order.id(), RedriveChange.START, order.command(), time.now());
 * }</pre>
 */
public interface Redrives {

    /** Letters that one call of {@link #select} adds. */
    int SELECTED_AT_ONCE = 1_000;
    /** The most operations that are running or paused and have letters to send. */
    int MAX_ACTIVE = 100;
    /** The most operations that a store keeps; beyond that, a new one dismisses the oldest ended one. */
    int MAX_KEPT = 1_000;
    /** How long a preview waits for its start before {@link #sweep} dismisses it. */
    Duration PREVIEW_KEPT = Duration.ofHours(1);
    /** The most rows that one call of {@link #sweep} removes. */
    int SWEPT_AT_ONCE = 1_000;

    /**
     * Adds the next letters to the selection of an order, and creates its operation at the first call. The operation is
     * {@link RedriveState.Previewed} when no letter is left. Only letters that exist at the first call are selected.
     *
     * @return the operation after this call
     * @throws RedriveRefusedException when a letter is pending in another operation that is running or paused; the
     *     preview is dismissed
     */
    RedriveOperation select(RedriveOrder order, Instant now);

    /** {@linkplain #select Selects} all letters of an order and returns the operation with its frozen selection. */
    default RedriveOperation preview(RedriveOrder order, Instant now) {
        RedriveOperation operation = select(order, now);
        while (operation.state() instanceof RedriveState.Selecting) {
            operation = select(order, now);
        }
        return operation;
    }

    /**
     * Changes an operation, and records the command: the start under the id of the operation, whose row counts the
     * redriven letters, each other change as a row of its own.
     *
     * @return the operation after the change
     * @throws RedriveRefusedException when the operation does not exist or its state does not allow the change; when
     *     {@link #MAX_ACTIVE} operations are active; or when, since the preview, an operation was started whose
     *     pending letters may include a letter of this one
     */
    RedriveOperation change(String id, RedriveChange change, OperatorCommand command, Instant now);

    /** Returns the operation with this id; empty when it does not exist or was dismissed. */
    Optional<RedriveOperation> find(String id);

    /**
     * Returns operations, the newest first.
     *
     * @param limit the most operations to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<RedriveOperation> list(int limit);

    /**
     * Returns letters of an operation's selection with their results, by letter id.
     *
     * @param afterLetter returns letters after this id; 0 for the first page
     * @param limit the most letters to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<RedrivenLetter> letters(String id, long afterLetter, int limit);

    /**
     * Lets the operation that has waited longest for its turn take one step, in one transaction.
     *
     * @param node the name of the caller, for display
     */
    RedriveTurn turn(String node, Instant now);

    /**
     * Does one small step of housekeeping: dismisses previews that were not started, and removes rows of dismissed
     * operations.
     *
     * @return the number of removed rows; zero when none is left
     */
    int sweep(Instant now);
}
