package io.redrive.operations;

/** The effect of a repair expression on one payload. */
public sealed interface RepairOutcome {

    /** The expression gave another JSON value. */
    record Changed(byte[] payload) implements RepairOutcome {}

    /** The expression gave the same JSON value; the payload keeps its bytes. */
    record Unchanged() implements RepairOutcome {}

    /** The expression has no valid result for this payload; the payload stays as it is. */
    record Failed(String reason) implements RepairOutcome {}
}
