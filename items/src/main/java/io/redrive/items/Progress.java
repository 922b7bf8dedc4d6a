package io.redrive.items;

import java.util.OptionalLong;

/**
 * How a run stands at this moment, as one process sees it; for progress bars.
 *
 * @param taken samples taken from the source
 * @param size samples in the source, where known
 * @param succeeded through all stages
 * @param skipped a stage let them go no further
 * @param dead given up on
 * @param retries retries made by this process
 * @param inFlight samples in memory
 * @param waiting those of them that wait for another attempt
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

    /** Of a run that has not begun. */
    public static final Progress NONE = new Progress(0, OptionalLong.empty(), 0, 0, 0, 0, 0, 0);

    /** Samples that have their end. */
    public long processed() {
        return succeeded + skipped + dead;
    }
}
