package io.redrive.pipeline;

/** Refuses settings that are out of range. */
final class Range {

    private Range() {}

    /** @throws IllegalArgumentException when {@code value} is not between {@code least} and {@code most} */
    static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", got " + value);
        }
    }
}
