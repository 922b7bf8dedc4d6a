package io.redrive.events;

import java.time.Instant;

/**
 * A payload that a letter had before a command replaced it. Belongs to the letter: a redrive or a purge of the letter removes its
 * versions.
 *
 * @param number the number of the version; the first replaced payload has number 1
 * @param payload the replaced payload, byte for byte
 * @param action the verb of the command that replaced the payload: edit, repair or revert
 * @param command the id of the command that replaced the payload
 * @param operator the operator who gave the command
 * @param at when the payload was replaced
 */
public record LetterVersion(int number, byte[] payload, String action, String command, String operator, Instant at) {

    /**
     * The most versions of a letter. A further replacement removes the oldest version; {@link DeadLetter#originalPayload} stays in
     * any case.
     */
    public static final int MAX_VERSIONS = 20;

    /** Refuses numbers below 1. */
    public LetterVersion {
        if (number < 1) {
            throw new IllegalArgumentException("number must be at least 1, got " + number);
        }
    }
}
