package io.redrive.jdbc;

/**
 * An id below which no call to a line will appear any more, so that a look at the calls can start there.
 *
 * <p>Unlike the marks of {@link LowWater} it must be certain: a call that is overlooked lets later ones overtake it. Ids
 * are not committed in their order, so having answered the call with id 7 says nothing about 6. But whoever takes an id
 * has written something before (his event, or a settlement), so when 7 is seen, all who can have taken a lower id have a
 * transaction number by then. Once every transaction up to that number is over, a look that begins at the former mark finds
 * the last of those calls, and 7 is the new mark. A transaction that merely reads has no number and holds nothing up.
 *
 * <p>Not thread-safe.
 */
final class CallMark {

    private long certain = Long.MIN_VALUE;
    private long candidate = Long.MIN_VALUE;
    private long writersBefore;

    /** Nothing is there at this id or below, and never will be. */
    long certain() {
        return certain;
    }

    /**
     * A look found all calls after {@code from} and up to {@code to}, and answered them.
     *
     * @param from the mark then
     * @param to {@link Long#MAX_VALUE} when it found all there were
     * @param oldestWriter the oldest transaction that had written and was not over before the look
     * @param highest the highest id found; {@link Long#MIN_VALUE} for none
     * @param nextWriter what the next transaction to write would have been numbered, when that was found
     */
    void looked(long from, long to, long oldestWriter, long highest, long nextWriter) {
        if (from == certain && candidate > certain && candidate <= to && oldestWriter >= writersBefore) {
            certain = candidate;
        }
        if (candidate <= certain && highest > certain) {
            candidate = highest;
            writersBefore = nextWriter;
        }
    }

    /** Believes nothing any more. */
    void forget() {
        certain = Long.MIN_VALUE;
        candidate = Long.MIN_VALUE;
    }
}
