package io.redrive.events;

import java.util.UUID;

/**
 * A command of an operator that changes dead letters. A command may need many calls of {@link DeadLetters}; calls
 * with the same id share one row in the record of actions.
 *
 * @param id identifies the command; for a redrive, the name of its batch
 * @param operator the operator who gave the command
 * @param origin the program, host and user that sent the command; empty when unknown
 * @param about the letters in words; when empty, the store describes the filter of the command's first call
 */
public record OperatorCommand(String id, String operator, String origin, String about) {

    /** The longest origin and the longest description of letters; longer texts are cut. */
    public static final int MAX_TEXT = 1_000;

    /** Refuses blank names; cuts long texts. */
    public OperatorCommand {
        Texts.require("id", id);
        Texts.require("operator", operator);
        origin = Texts.cut(Texts.wellFormed(origin), MAX_TEXT);
        about = Texts.cut(Texts.wellFormed(about), MAX_TEXT);
    }

    /** Returns a separate command of unknown origin. */
    public static OperatorCommand by(String operator) {
        return new OperatorCommand("command-" + UUID.randomUUID(), operator, "", "");
    }

    /** Returns the same command with this origin. */
    public OperatorCommand from(String place) {
        return new OperatorCommand(id, operator, place, about);
    }

    /** Returns the same command with this description of the letters. */
    public OperatorCommand about(String letters) {
        return new OperatorCommand(id, operator, origin, letters);
    }

    /** Returns the command with this description of the letters, unless the command has a description. */
    public OperatorCommand describing(String letters) {
        return about.isEmpty() ? about(letters) : this;
    }
}
