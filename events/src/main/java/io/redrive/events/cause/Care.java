package io.redrive.events.cause;

/**
 * What operators said about a cause.
 *
 * @param stance the last decision
 * @param owner the person who works on the cause; empty for nobody
 * @param note a text for the next operator; empty for none
 * @param ticket a link to a ticket; empty for none
 */
public record Care(Stance stance, String owner, String note, String ticket) {

    /** The longest owner. */
    public static final int MAX_OWNER = 200;
    /** The longest note. */
    public static final int MAX_NOTE = 10_000;
    /** The longest link to a ticket. */
    public static final int MAX_TICKET = 1_000;

    /** The care of a cause that no operator has looked after. */
    public static final Care NONE = new Care(Stance.OPEN, "", "", "");

    /**
     * Checks the texts.
     *
     * @throws IllegalArgumentException when a text is too long or contains characters that no store can keep
     */
    public Care {
        require("owner", owner, MAX_OWNER);
        require("note", note, MAX_NOTE);
        require("ticket", ticket, MAX_TICKET);
    }

    private static void require(String field, String value, int longest) {
        if (value.length() > longest) {
            throw new IllegalArgumentException(
                    field + " must be at most " + longest + " characters, got " + value.length());
        }
        boolean broken = value.codePoints().anyMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE);
        if (broken) {
            throw new IllegalArgumentException(
                    field + " must be well-formed text without the character 0, got a text that is not");
        }
    }
}
