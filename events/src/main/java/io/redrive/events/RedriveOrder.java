package io.redrive.events;

import java.util.UUID;

/**
 * An operator's order to redrive dead letters. {@link Redrives#select} makes an operation of it.
 *
 * @param filter selects the letters
 * @param plan how the letters are sent
 * @param command the operator, the origin, and the letters in words; its id is the id of the operation
 */
public record RedriveOrder(LetterFilter filter, RedrivePlan plan, OperatorCommand command) {

    private static final int ID_DIGITS = 10;

    /** Describes the letters in words, unless the command does. */
    public RedriveOrder {
        command = command.describing(filter.describe());
    }

    /**
     * Returns an order of this operator for the letters that the filter selects.
     *
     * @throws IllegalArgumentException when the filter is empty: {@link #ofAllLetters} asks for all letters
     */
    public static RedriveOrder of(LetterFilter filter, RedrivePlan plan, String operator) {
        if (filter.equals(LetterFilter.ALL)) {
            throw new IllegalArgumentException(
                    "filter must restrict the letters, got an empty filter; RedriveOrder.ofAllLetters redrives all"
                            + " letters");
        }
        return new RedriveOrder(filter, plan, new OperatorCommand(newId(), operator, "", ""));
    }

    /** Returns an order of this operator for all letters. */
    public static RedriveOrder ofAllLetters(RedrivePlan plan, String operator) {
        return new RedriveOrder(LetterFilter.ALL, plan, new OperatorCommand(newId(), operator, "", ""));
    }

    /** Returns the order as sent from this place: a program, its host and account. */
    public RedriveOrder from(String origin) {
        return new RedriveOrder(filter, plan, command.from(origin));
    }

    /** Returns the id of the operation. */
    public String id() {
        return command.id();
    }

    /** Short enough to be typed, and with 40 random bits unlikely to be given twice. */
    private static String newId() {
        return "r-" + UUID.randomUUID().toString().replace("-", "").substring(0, ID_DIGITS);
    }
}
