package io.redrive.operations.difference;

import java.math.BigDecimal;

/**
 * The value of a subject in a document.
 *
 * @param type the JSON type
 * @param token the value as text, equal for equal values; empty when the value is compared by type and measure alone
 * @param measure the number, the characters of a text or the elements of an array; NaN for none
 */
record Value(Type type, String token, double measure) {

    /** The longest text that is compared with other texts. */
    static final int MAX_TEXT = 100;

    /** Shorter texts count as long as this: ids get longer with time, and that separates nothing. */
    static final int SHORT_TEXT = 20;

    /** Smaller payloads count as large as this, for the same reason. */
    static final int SMALL_PAYLOAD = 1_024;

    private static final int MAX_DIGITS = 50;

    static final Value TRUE = new Value(Type.BOOLEAN, "true", Double.NaN);
    static final Value FALSE = new Value(Type.BOOLEAN, "false", Double.NaN);
    static final Value NULL = new Value(Type.NULL, "", Double.NaN);
    static final Value OBJECT = new Value(Type.OBJECT, "", Double.NaN);

    /** The types of values. */
    enum Type {
        TEXT("a text"),
        NUMBER("a number"),
        BOOLEAN("true or false"),
        NULL("null"),
        OBJECT("an object"),
        ARRAY("an array"),
        MOMENT("a time");

        final String words;

        Type(String words) {
            this.words = words;
        }
    }

    /** Returns a text in quotes, as JSON has texts. */
    static Value quoted(String text) {
        return new Value(
                Type.TEXT, text.length() <= MAX_TEXT ? "\"" + text + "\"" : "", Math.max(SHORT_TEXT, text.length()));
    }

    /** Returns a word that is compared with other words only: a source, a node. */
    static Value word(String text) {
        return new Value(Type.TEXT, text, Double.NaN);
    }

    static Value array(int elements) {
        return new Value(Type.ARRAY, "", elements);
    }

    static Value number(String digits) {
        double measure = Double.parseDouble(digits);
        return new Value(Type.NUMBER, canonical(digits), Double.isFinite(measure) ? measure : Double.NaN);
    }

    static Value size(int bytes) {
        return new Value(Type.NUMBER, "", Math.max(SMALL_PAYLOAD, bytes));
    }

    static Value moment(double epochSecond) {
        return new Value(Type.MOMENT, "", epochSecond);
    }

    /** Returns true for a positive number without a point and an exponent, which JSON writes in one way. */
    private static boolean isWhole(String digits) {
        return digits.charAt(0) != '0' && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }

    /** Returns the same text for 1, 1.0 and 1e0. */
    private static String canonical(String digits) {
        if (digits.length() > MAX_DIGITS) {
            return "";
        }
        if (isWhole(digits)) {
            return digits;
        }
        BigDecimal number = new BigDecimal(digits);
        if (number.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = number.stripTrailingZeros();
        boolean small = Math.abs((long) stripped.scale()) <= MAX_DIGITS;
        return small ? stripped.toPlainString() : stripped.toString();
    }
}
