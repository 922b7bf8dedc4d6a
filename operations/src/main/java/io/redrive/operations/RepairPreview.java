package io.redrive.operations;

import java.util.List;

/**
 * The effect that a repair would have on the letters of a selection. The store is unchanged.
 *
 * @param letters the letters of the selection when the preview began
 * @param lastId the highest id among the letters; a repair of this preview changes no letter behind
 * @param counts the effect on all letters
 * @param samples the first letters that would change
 * @param failures the first failing letters
 */
public record RepairPreview(
        Preview letters, long lastId, RepairCounts counts, List<Sample> samples, List<Failure> failures) {

    /** The most samples, and the most failures, of a preview. */
    public static final int MAX_SAMPLES = 100;

    /** Copies the lists. */
    public RepairPreview {
        samples = List.copyOf(samples);
        failures = List.copyOf(failures);
    }

    /**
     * A letter that would change.
     *
     * @param letter the id of the letter
     * @param name the name of its event
     * @param contentType the content type of the payload
     * @param before the payload now
     * @param after the payload that the repair would write
     */
    public record Sample(long letter, String name, String contentType, byte[] before, byte[] after) {}

    /** A letter for which the expression has no valid result. */
    public record Failure(long letter, String reason) {}
}
