package io.redrive.events;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The dead-letter queue: the cold port, for operators. Letters are never deleted or capped silently; every command
 * of an operator has a row in the record of actions. Thread-safe.
 */
public interface DeadLetters {

    /** How many letters or groups one call returns at most. */
    int MAX_PAGE = 1_000;

    /**
     * Letters in the order of their ids, without history.
     *
     * @param afterId start after this id; 0 for the first page
     * @param limit how many at most, up to {@link #MAX_PAGE}
     */
    List<DeadLetter> list(LetterFilter filter, long afterId, int limit);

    /**
     * Letters with the newest id first, without history.
     *
     * @param beforeId start before this id; {@link Long#MAX_VALUE} for the first page
     * @param limit how many at most, up to {@link #MAX_PAGE}
     */
    List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit);

    /**
     * {@link #list} with the history of each letter, for exports.
     *
     * @param limit how many at most, up to {@link #MAX_PAGE}
     */
    List<DeadLetter> listWithHistory(LetterFilter filter, long afterId, int limit);

    /** How many letters the filter selects. */
    long count(LetterFilter filter);

    /** Letters grouped by cause, largest group first. */
    List<LetterGroup> groups(LetterFilter filter, int limit);

    /** One letter with its history. */
    Optional<DeadLetter> find(long id);

    /** Replaces a letter's payload; the original stays. False when there is no such letter. */
    boolean edit(long id, byte[] payload, OperatorCommand command, Instant now);

    /** {@link #edit(long, byte[], OperatorCommand, Instant)} as a command of its own. */
    default boolean edit(long id, byte[] payload, String operator, Instant now) {
        return edit(id, payload, OperatorCommand.by(operator), now);
    }

    /**
     * Brings letters back: in one transaction each becomes a ready event with no attempt spent, and is no letter any more.
     * A letter that is gone is skipped, so redriving twice equals once. Never a duplicate of its own publication.
     *
     * @return how many were redriven
     */
    int redrive(RedriveRequest request);

    /** What became of a redriven batch. */
    RedriveProgress progress(String batch);

    /**
     * Deletes letters for good, at most {@code limit} of them. The store forgets their keys too: an event that was purged may
     * be published again.
     */
    int purge(LetterFilter filter, int limit, OperatorCommand command, Instant now);

    /** {@link #purge(LetterFilter, int, OperatorCommand, Instant)} as a command of its own. */
    default int purge(LetterFilter filter, int limit, String operator, Instant now) {
        return purge(filter, limit, OperatorCommand.by(operator), now);
    }

    /**
     * Takes letters over from an export. One whose event (id and correlation id) is already a letter here is skipped.
     *
     * @return how many were taken
     */
    int importLetters(List<DeadLetter> letters, OperatorCommand command, Instant now);

    /** {@link #importLetters(List, OperatorCommand, Instant)} as a command of its own. */
    default int importLetters(List<DeadLetter> letters, String operator, Instant now) {
        return importLetters(letters, OperatorCommand.by(operator), now);
    }

    /**
     * The record of actions, the newest command first. Each command has one row, which grows in the same transaction as
     * the letters change: the row of a command that was killed tells what the command had done until then.
     *
     * @param limit how many rows at most, up to {@link #MAX_PAGE}
     */
    List<OperatorAction> actions(ActionFilter filter, int limit);

    /** The newest rows of the record of actions. */
    default List<OperatorAction> actions(int limit) {
        return actions(ActionFilter.ALL, limit);
    }

    /**
     * Writes into a command's row how the command stands or ended; makes the row when the command has none yet.
     *
     * @param outcome in words; replaces the earlier one
     */
    void record(OperatorCommand command, String action, String outcome, Instant now);
}
