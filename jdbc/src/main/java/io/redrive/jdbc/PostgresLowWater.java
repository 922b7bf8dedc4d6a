package io.redrive.jdbc;

import io.redrive.core.Time;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how far a queue has been emptied, so that the next scan of its index can start there.
 *
 * <p>A row deleted from a queue stays in the index until a vacuum removes it, and no vacuum removes it while any
 * transaction in the database is old enough to see it. An hour after a forgotten transaction, each claim would step
 * over millions of deleted entries. A scan therefore starts at the low-water mark: the last entry which the scan before
 * it took. The mark is a hint. Entries may still appear below the mark: from a slow transaction, after a clock was set
 * back, after a claimer died. So a scan starts at the beginning of the queue when {@link PostgresScanBudget} allows it,
 * and when a scan from the mark found too little and scans from the beginning are cheap.
 *
 * <p>Each store keeps its own mark, in memory. Thread-safe; of two concurrent scans, the mark of the later commit
 * stays.
 */
final class PostgresLowWater {

    /** An entry of a queue; entries are ordered by both numbers. */
    record Mark(long major, long minor) {
        static final Mark BEGINNING = new Mark(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private final PostgresScanBudget fullScans;
    private volatile Mark mark = Mark.BEGINNING;

    PostgresLowWater(Time time) {
        fullScans = new PostgresScanBudget(time);
    }

    /** The lowest major number which a scan from the mark is sure to find. */
    long reached() {
        Mark last = mark;
        return last == Mark.BEGINNING ? last.major() : last.major() + 1;
    }

    /** Begins a scan, at the mark or at the beginning of the queue. */
    Scan scan() {
        return new Scan(fullScans.allows() ? Mark.BEGINNING : mark);
    }

    /** A scan in progress. Its findings move the mark when their transaction is committed. */
    final class Scan {
        private final Mark from;
        private final long began = fullScans.now();
        private Mark reached;
        private boolean satisfied;

        private Scan(Mark from) {
            this.from = from;
            reached = from;
        }

        Mark from() {
            return from;
        }

        /** The furthest entry found so far, behind which the scan continues. */
        Mark next() {
            return reached;
        }

        /** Notes an entry that was found, further than all before. */
        void reach(long major, long minor) {
            reached = new Mark(major, minor);
        }

        /** Notes that the demand is met, so that more entries may follow the last one found. */
        void satisfied() {
            satisfied = true;
        }

        /** Begins a scan of the same transaction behind the last entry that this scan found. */
        Scan further() {
            return new Scan(reached);
        }

        /** A scan from the beginning of the queue, or null when this scan started there or another one would be slow. */
        @Nullable
        Scan again() {
            return from != Mark.BEGINNING && fullScans.isCheap() ? new Scan(Mark.BEGINNING) : null;
        }

        /** Must be called when the scan is over. */
        void ended() {
            if (from == Mark.BEGINNING) {
                fullScans.spend(began);
            }
        }

        /** Must be called when the transaction that took the found entries is committed. */
        void committed() {
            if (satisfied || reached.major() > mark.major()) {
                mark = reached;
            }
        }
    }
}
