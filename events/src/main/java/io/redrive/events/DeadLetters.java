package io.redrive.events;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The dead-letter queue: the cold port, for operators. Letters are never deleted or capped silently; everything an
 * operator does is recorded. Thread-safe.
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

    /** How many letters the filter selects. */
    long count(LetterFilter filter);

    /** Letters grouped by cause, largest group first. */
    List<LetterGroup> groups(LetterFilter filter, int limit);

    /** One letter with its history. */
    Optional<DeadLetter> find(long id);

    /** Replaces a letter's payload; the original stays. False when there is no such letter. */
    boolean edit(long id, byte[] payload, String operator, Instant now);

    /**
     * Brings letters back: in one transaction each becomes a ready event with no attempt spent, and is no letter any more.
     * A letter that is gone is skipped, so redriving twice equals once. Never a duplicate of its own publication.
     *
     * @return how many were redriven
     */
    int redrive(RedriveRequest request);

    /** What became of a redriven batch. */
    RedriveProgress progress(String batch);

    /** Deletes letters for good, at most {@code limit} of them. */
    int purge(LetterFilter filter, int limit, String operator, Instant now);

    /**
     * Takes letters over from an export. One whose event (id and correlation id) is already a letter here is skipped.
     *
     * @return how many were taken
     */
    int importLetters(List<DeadLetter> letters, String operator, Instant now);

    /** What operators did, newest first. */
    List<OperatorAction> actions(int limit);

    /** Adds to the record of actions; for tools that act in several steps. */
    void record(OperatorAction action);
}
