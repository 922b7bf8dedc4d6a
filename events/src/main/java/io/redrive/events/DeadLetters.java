package io.redrive.events;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The dead-letter queue: the cold port, for operators. Letters are never deleted or capped silently; every command
 * of an operator has a row in the record of actions. Thread-safe.
 */
public interface DeadLetters {

    /** The most letters or groups that one call returns. */
    int MAX_PAGE = 1_000;

    /**
     * Returns letters in the order of their ids, without history.
     *
     * @param afterId returns letters after this id; 0 for the first page
     * @param limit the most letters to return, up to {@link #MAX_PAGE}
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

    /**
     * Returns the number of letters that the filter selects. Stores keep counts by cause, name and reason; a filter by anything else,
     * but for an end in time shortly before the present, reads the letters.
     */
    long count(LetterFilter filter);

    /** Returns the number of letters of each of these causes; a cause without letters has no entry. */
    default Map<String, Long> countByCause(Collection<String> fingerprints) {
        Map<String, Long> counts = new HashMap<>();
        for (String fingerprint : fingerprints) {
            long letters = count(LetterFilter.ALL.withFingerprint(fingerprint));
            if (letters > 0) {
                counts.put(fingerprint, letters);
            }
        }
        return counts;
    }

    /** Returns letters grouped by cause, largest group first. */
    List<LetterGroup> groups(LetterFilter filter, int limit);

    /** Returns the letter with this id, with its history. */
    Optional<DeadLetter> find(long id);

    /** Replaces a letter's payload and keeps the payload before as a version. Returns false when the letter does not exist. */
    boolean edit(long id, byte[] payload, OperatorCommand command, Instant now);

    /** {@link #edit(long, byte[], OperatorCommand, Instant)} as a separate command. */
    default boolean edit(long id, byte[] payload, String operator, Instant now) {
        return edit(id, payload, OperatorCommand.by(operator), now);
    }

    /**
     * Replaces payloads in one transaction. Skips letters that no longer exist and letters whose payload is not the expected one, so
     * replacing twice equals replacing once.
     *
     * @param changes at most one change for each letter; up to {@link #MAX_PAGE}
     * @param action the verb of the command, for the record of actions and the versions
     * @return the ids of the changed letters
     * @throws IllegalArgumentException when a payload is too large, or there are too many changes or two of one letter
     */
    Set<Long> replace(List<PayloadChange> changes, String action, OperatorCommand command, Instant now);

    /**
     * Returns the payloads that a letter had before, oldest first; at most {@link LetterVersion#MAX_VERSIONS}. {@link #edit} and
     * {@link #replace} keep a version in the same transaction; an edit that leaves the payload as it is keeps none.
     */
    List<LetterVersion> versions(long id);

    /**
     * Redrives letters: in one transaction each letter is removed and its event is ready again, with no attempt
     * spent. Letters that no longer exist are skipped, so redriving twice equals redriving once. A redriven event is
     * never a duplicate of its own publication.
     *
     * @return the number of redriven letters
     */
    int redrive(RedriveRequest request);

    /**
     * Deletes at most {@code limit} letters for good. The store also forgets their keys: a purged event may be
     * published again.
     */
    int purge(LetterFilter filter, int limit, OperatorCommand command, Instant now);

    /** {@link #purge(LetterFilter, int, OperatorCommand, Instant)} as a separate command. */
    default int purge(LetterFilter filter, int limit, String operator, Instant now) {
        return purge(filter, limit, OperatorCommand.by(operator), now);
    }

    /**
     * Deletes letters that were exported, in one transaction, as {@link #purge} does. A letter stays when its payload is no longer the
     * exported one: its edit would be lost.
     *
     * @param exported the letters as the export has them; up to {@link #MAX_PAGE}
     * @return the number of deleted letters
     */
    int retire(List<DeadLetter> exported, OperatorCommand command, Instant now);

    /**
     * Imports letters of an export. A letter whose event (id and correlation id) is a letter of this store already is
     * skipped.
     *
     * @return the number of imported letters
     */
    int importLetters(List<DeadLetter> letters, OperatorCommand command, Instant now);

    /** {@link #importLetters(List, OperatorCommand, Instant)} as a separate command. */
    default int importLetters(List<DeadLetter> letters, String operator, Instant now) {
        return importLetters(letters, OperatorCommand.by(operator), now);
    }

    /** Returns the causes of the letters. */
    Causes causes();

    /**
     * Returns the record of actions, the newest command first. Each command has one row, which grows in the same
     * transaction as the letters change: the row of a killed command shows what the command had done.
     *
     * @param limit the most rows to return, up to {@link #MAX_PAGE}
     */
    List<OperatorAction> actions(ActionFilter filter, int limit);

    /** Returns the newest rows of the record of actions. */
    default List<OperatorAction> actions(int limit) {
        return actions(ActionFilter.ALL, limit);
    }

    /**
     * Writes into a command's row how the command stands or ended; creates the row of a command without a row.
     *
     * @param outcome the outcome in words, which replaces an earlier outcome
     */
    void record(OperatorCommand command, String action, String outcome, Instant now);
}
