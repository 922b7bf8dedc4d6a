package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.events.redaction.Redaction;
import io.redrive.pipeline.LetterArchive;
import io.redrive.pipeline.LetterRetention;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** What an operator may know and do about dead letters. Thread-safe. */
public interface LetterOperations {

    /**
     * Returns letters without history, the newest first.
     *
     * @param beforeId start before this id; {@link Long#MAX_VALUE} for the first page
     * @param limit the most letters to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit);

    /**
     * Returns letters without history, the oldest first.
     *
     * @param afterId start after this id; 0 for the first page
     * @param limit the most letters to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<DeadLetter> oldest(LetterFilter filter, long afterId, int limit);

    /** {@link #oldest} with the history of each letter, for exports. */
    List<DeadLetter> oldestWithHistory(LetterFilter filter, long afterId, int limit);

    /** Returns the number of letters that the filter selects. */
    long count(LetterFilter filter);

    /** Returns letters grouped by cause, the largest group first. */
    List<LetterGroup> groups(LetterFilter filter, int limit);

    /** Returns the letter with this id, with its history. */
    Optional<DeadLetter> find(long id);

    /**
     * Returns a JUnit test that publishes the event of a letter again and fails as the letter did, until the caller puts a handler
     * into the test that handles the event.
     *
     * @param packageName the package of the test; empty for none
     * @param redaction replaces further values that must not leave the store
     * @return the test; empty when no letter has this id
     * @throws IllegalArgumentException when the package is no Java name
     */
    default Optional<GeneratedTest> test(long id, String packageName, Redaction redaction) {
        return find(id).map(redaction::letter).map(letter -> LetterTestSource.of(letter, packageName));
    }

    /**
     * Compares one letter with handled events of its name: the values that hardly any handled event has. One letter proves nothing,
     * see {@link io.redrive.operations.difference.LetterOddities}.
     *
     * @return the comparison; empty when no letter has this id
     */
    Optional<NameDifferences> differences(long id);

    /** Returns the payloads that a letter had before, oldest first. */
    List<LetterVersion> versions(long id);

    /** Returns the letters that a command would change now. The store stays unchanged. */
    Preview preview(LetterSelection selection);

    /**
     * Replaces the payload of a letter. The payload before stays as a version. A letter whose payload was redacted may be redriven
     * afterwards.
     *
     * @return false when the letter does not exist
     * @throws IllegalArgumentException when the letter has a JSON content type and the payload is not JSON, or when the payload still
     *     has the replacement of a value that the operator did not see
     */
    boolean edit(long id, byte[] payload);

    /** {@link #edit} for a payload that may be invalid for its content type. */
    boolean editUnchecked(long id, byte[] payload);

    /**
     * Deletes the letters of a preview for good. The store also forgets their keys: a purged event may be published again.
     *
     * @param progress is told the number of deleted letters after each step
     * @return the number of deleted letters
     */
    long purge(Preview preview, LongConsumer progress);

    /**
     * Exports letters of some age to files of a folder of this machine and deletes them, a few hundred in each sweep. Each sweep has its
     * own file and its own row in the record of actions. The files hold all stored values.
     *
     * @param progress is told the number of deleted letters after each sweep
     * @return the sweeps, oldest letters first
     * @throws IOException when the folder does not exist or cannot be written; letters of earlier sweeps are exported and deleted, all
     *     others stay
     */
    List<LetterArchive.Sweep> retire(LetterRetention retention, LongConsumer progress) throws IOException;

    /**
     * Begins to take letters over from an export. All pages of the import are one row in the record of actions.
     *
     * @param from where the letters come from, in words
     */
    LetterImport beginImport(String from);
}
