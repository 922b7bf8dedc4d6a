package io.redrive.jdbc;

/**
 * The id below which no call to a line can appear any more, so that a look at the calls can start there.
 *
 * <p>Unlike the marks of {@link PostgresLowWater} this one must be certain: a call that is overlooked lets later calls of its line
 * overtake it. Ids are not committed in their order, so having answered call 7 says nothing about call 6, whose transaction
 * may be open. The proof takes three exchanges:
 *
 * <ol>
 *   <li>An exchange answers call 7. Every id below 7 was taken before, by a transaction that had written (its event, or a
 *       settlement) and therefore had a number.
 *   <li>A later exchange takes a number of its own, say 100. Numbers ascend, so the transactions of step 1 have numbers
 *       below 100.
 *   <li>An exchange finds that the oldest running transaction is 100 or higher. The transactions of step 1 are over, this
 *       exchange sees all their calls, and 7 becomes the mark once those calls are answered.
 * </ol>
 *
 * <p>Step 2 cannot be saved. {@code pg_snapshot_xmax}, which needs no later exchange, is one past the highest number that
 * has <em>ended</em>: running transactions have that number and higher ones. Nor does the number of the exchange in step 1
 * help, which may have been taken before call 6. Numbers are those of top-level transactions, on both sides: a savepoint has
 * a number of its own, which is higher than that of its transaction. A transaction that merely reads has no number and
 * delays nothing.
 *
 * <p>Not thread-safe.
 */
final class PostgresCallMark {

    private static final long NONE = Long.MIN_VALUE;

    private long certain = NONE;
    private long answered = NONE;
    private long candidate = NONE;
    private long writersBelow;

    /**
     * What an exchange must know of the mark before it begins.
     *
     * @param certain calls are looked for after this id
     * @param answered the highest id that earlier exchanges have answered
     * @param needsNumber whether the exchange is to take a transaction number: step 2
     */
    record Start(long certain, long answered, boolean needsNumber) {}

    /**
     * What an exchange found, all of it committed.
     *
     * @param to all calls up to this id were found and answered; {@link Long#MAX_VALUE} when there were no more
     * @param highest the highest id answered; {@link Long#MIN_VALUE} for none
     * @param oldestWriter the lowest number of the transactions that were running before the look
     * @param number the number of the exchange itself, taken after its start; zero when the start did not need one
     */
    record Scan(long to, long highest, long oldestWriter, long number) {}

    /** To be called before the exchange sends its first statement. */
    Start start() {
        return new Start(certain, answered, candidate == NONE && answered > certain);
    }

    /** A look from an older mark proves nothing about the calls before the present one. */
    void scanned(Start start, Scan scan) {
        answered = Math.max(answered, scan.highest());
        if (start.certain() != certain) {
            return;
        }
        if (candidate != NONE) {
            if (candidate <= scan.to() && scan.oldestWriter() >= writersBelow) {
                certain = candidate;
                candidate = NONE;
            }
        } else if (start.needsNumber()) {
            candidate = start.answered();
            writersBelow = scan.number();
        }
    }

    /** Begins anew: the next look starts at the first call. */
    void forget() {
        certain = NONE;
        answered = NONE;
        candidate = NONE;
    }
}
