package io.redrive.jdbc;

/**
 * The id below which no further call to a line can appear, so that a scan of the calls can start there.
 *
 * <p>The mark must be certain, unlike the marks of {@link PostgresLowWater}: an overlooked call would be overtaken by
 * later calls of its line. Calls do not become visible in the order of their ids: after call 7 was answered, the
 * transaction of call 6 may still be open. The proof takes three exchanges:
 *
 * <ol>
 *   <li>An exchange answers call 7. Every id below 7 was taken earlier, by a transaction which had written (an event,
 *       or a settlement) and therefore had a transaction number.
 *   <li>A later exchange takes a transaction number, say 100. Numbers ascend, so the transactions of step 1 have
 *       numbers below 100.
 *   <li>An exchange reads 100 or higher as the oldest running transaction. The transactions of step 1 are over, this
 *       exchange sees all their calls, and 7 becomes the mark once these calls are answered.
 * </ol>
 *
 * <p>Step 2 is necessary. {@code pg_snapshot_xmax}, which needs no later exchange, is one past the highest number of an
 * <em>ended</em> transaction: running transactions have this number and higher ones. The number of the exchange in step
 * 1 does not help either: call 6 may have been made after that number was taken. All numbers are those of top-level
 * transactions: a savepoint has its own number, higher than the number of its transaction. A transaction that only
 * reads has no number and delays no mark.
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
     * The mark before an exchange.
     *
     * @param certain the exchange reads calls above this id
     * @param answered the highest id answered by earlier exchanges
     * @param needsNumber whether the exchange must take a transaction number: step 2
     */
    record Start(long certain, long answered, boolean needsNumber) {}

    /**
     * The findings of a committed exchange.
     *
     * @param to every call up to this id was found and answered; {@link Long#MAX_VALUE} when all calls were
     * @param highest the highest id answered; {@link Long#MIN_VALUE} for none
     * @param oldestWriter the lowest number of the transactions running before the scan
     * @param number the number of the exchange itself, taken after its start; zero when the start did not need a number
     */
    record Scan(long to, long highest, long oldestWriter, long number) {}

    /** Must be called before the exchange sends its first statement. */
    Start start() {
        return new Start(certain, answered, candidate == NONE && answered > certain);
    }

    /**
     * Advances the proof. A scan that started at an older mark proves no fact about the calls below the current mark.
     */
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

    /** Starts over: the next scan starts at the first call. */
    void forget() {
        certain = NONE;
        answered = NONE;
        candidate = NONE;
    }
}
