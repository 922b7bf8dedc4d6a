package io.redrive.events.redaction;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.cause.Cause;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Redacts letters, groups, causes, versions and rows of the record of actions before an operator sees them. The store is unchanged.
 *
 * @param store the dead letters of the store
 * @param redaction the rules; the mode does not matter
 */
public record ShownLetters(DeadLetters store, Redaction redaction) {

    /** Returns these letters without secrets. */
    public List<DeadLetter> letters(List<DeadLetter> found) {
        return redaction.isEmpty()
                ? found
                : found.stream().map(redaction::letter).toList();
    }

    /**
     * Returns these groups with examples without secrets.
     *
     * @param filter selected the letters of the groups
     */
    public List<LetterGroup> groups(List<LetterGroup> found, LetterFilter filter) {
        return redaction.isEmpty()
                ? found
                : found.stream().map(group -> group(group, filter)).toList();
    }

    private LetterGroup group(LetterGroup group, LetterFilter filter) {
        return new LetterGroup(
                group.fingerprint(),
                group.errorType(),
                example(group.example(), oldestOf(group, filter)),
                group.count(),
                group.names(),
                group.firstDead(),
                group.lastDead());
    }

    /** Selects the letter that the example is from: the first that was given up, and of several the one with the lowest id. */
    private static LetterFilter oldestOf(LetterGroup group, LetterFilter filter) {
        Instant first = group.firstDead();
        return filter.withFingerprint(group.fingerprint()).withTime(first, first.plus(1, ChronoUnit.MICROS));
    }

    /** Returns the cause with an example without secrets. */
    public Cause cause(Cause cause) {
        return redaction.isEmpty()
                ? cause
                : new Cause(
                        cause.fingerprint(),
                        cause.errorType(),
                        example(cause.example(), LetterFilter.ALL.withFingerprint(cause.fingerprint())),
                        cause.firstSeen(),
                        cause.sightings(),
                        cause.care(),
                        cause.mergedInto());
    }

    /** An example is mostly the error of the oldest letter, whose event has the secrets that the text may contain. */
    private String example(String text, LetterFilter alike) {
        return store.list(alike, 0, 1).stream()
                .findFirst()
                .map(oldest -> redaction.text(text, oldest.event()))
                .orElseGet(() -> redaction.text(text));
    }

    /** Returns the earlier payload of a letter without secrets. */
    public LetterVersion version(LetterVersion version, String contentType) {
        return new LetterVersion(
                version.number(),
                redaction.payload(version.payload(), contentType),
                version.action(),
                version.command(),
                version.operator(),
                version.at());
    }

    /** Returns the row of the record of actions without what patterns match. */
    public OperatorAction action(OperatorAction action) {
        if (redaction.isEmpty()) {
            return action;
        }
        OperatorCommand command = action.command();
        return new OperatorAction(
                new OperatorCommand(
                        command.id(), command.operator(), command.origin(), redaction.text(command.about())),
                action.action(),
                action.at(),
                action.updated(),
                redaction.text(action.outcome()),
                action.letters(),
                action.causes());
    }
}
