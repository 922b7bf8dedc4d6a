package io.redrive.items.run;

/** Samples for tests of the engine's parts. */
final class Samples {

    private Samples() {}

    /** Returns a new sample of the source, with a payload of one byte. */
    static Sample sample(long ordinal) {
        return Sample.from(new Intake.Read.Good(ordinal, "s" + ordinal, new byte[] {'x'}, 100 + ordinal));
    }
}
