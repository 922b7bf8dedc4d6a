package io.redrive.operations;

import java.util.List;
import java.util.Optional;

/**
 * The effect of a proposed command at the time of asking.
 *
 * @param letters the number of letters that the command would change, or the number of dead letters of a cause
 * @param effect the effect of a repair on its letters; empty for other commands
 * @param samples the first letters, redacted as for the operator who asked; removed when the proposal is decided
 * @param remarks facts that the person who decides should know
 */
public record ProposalPreview(long letters, Optional<RepairCounts> effect, List<Sample> samples, List<String> remarks) {

    /** The most samples. */
    public static final int MAX_SAMPLES = 3;

    /** The most characters of each text of a sample. */
    public static final int MAX_TEXT = 2_000;

    /** Copies the lists. */
    public ProposalPreview {
        samples = List.copyOf(samples);
        remarks = List.copyOf(remarks);
    }

    /** Returns the preview without the texts of letters. */
    ProposalPreview withoutSamples() {
        return new ProposalPreview(letters, effect, List.of(), remarks);
    }

    /**
     * One letter.
     *
     * @param letter the id of the letter
     * @param name the name of its event
     * @param error the last error
     * @param before the beginning of the payload
     * @param after the beginning of the payload after a repair; empty for a redrive
     */
    public record Sample(long letter, String name, String error, String before, String after) {}
}
