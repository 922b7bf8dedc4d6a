package io.redrive.items;

import java.util.OptionalLong;

/**
 * The progress of a run at this moment, as one process sees the run; for progress bars.
 *
 * @param taken samples taken from the source
 * @param size samples in the source; empty when unknown
 * @param succeeded samples that passed all stages
 * @param skipped samples that a stage skipped
 * @param dead samples whose last allowed attempt failed
 * @param retries retries by this process
 * @param inFlight samples in the memory of this process
 * @param waiting the part of {@code inFlight} that waits for a retry
 */
public record Progress(
        long taken,
        OptionalLong size,
        long succeeded,
        long skipped,
        long dead,
        long retries,
        int inFlight,
        int waiting) {

    /** The progress of a new run. */
    public static final Progress NONE = new Progress(0, OptionalLong.empty(), 0, 0, 0, 0, 0, 0);

    /** Returns the number of samples that succeeded, were skipped or died. */
    public long processed() {
        return succeeded + skipped + dead;
    }
}
