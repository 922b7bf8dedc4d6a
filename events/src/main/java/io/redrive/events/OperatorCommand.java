package io.redrive.events;

import java.util.UUID;

/**
 * A command of an operator that changes dead letters: who gave the command, and from where. A command may need many calls
 * of {@link DeadLetters}; calls with the same id share one row in the record of actions.
 *
 * @param id identifies the command; for a redrive, the name of its batch
 * @param operator who gave the command
 * @param origin from where: a program, its host and its user; empty when unknown
 * @param about which letters, in words; when empty, the store describes the filter of the command's first call
 */
public record OperatorCommand(String id, String operator, String origin, String about) {

    /** The longest origin and the longest description of letters; longer ones are cut. */
    public static final int MAX_TEXT = 1_000;

    /** Refuses blank names; cuts long texts. */
    public OperatorCommand {
        Texts.require("id", id);
        Texts.require("operator", operator);
        origin = Texts.cut(Texts.wellFormed(origin), MAX_TEXT);
        about = Texts.cut(Texts.wellFormed(about), MAX_TEXT);
    }

    /** A command of its own, of unknown origin. */
    public static OperatorCommand by(String operator) {
        return new OperatorCommand("command-" + UUID.randomUUID(), operator, "", "");
    }

    /** The same command, given from this place. */
    public OperatorCommand from(String place) {
        return new OperatorCommand(id, operator, place, about);
    }

    /** The same command, with the letters in words. */
    public OperatorCommand about(String letters) {
        return new OperatorCommand(id, operator, origin, letters);
    }

    /** The same command; describes the letters only where the command does not. */
    public OperatorCommand describing(String letters) {
        return about.isEmpty() ? about(letters) : this;
    }
}
