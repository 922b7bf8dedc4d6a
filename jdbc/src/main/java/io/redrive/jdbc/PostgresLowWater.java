package io.redrive.jdbc;

import io.redrive.core.Time;
import java.util.concurrent.TimeUnit;

/**
 * Remembers how far a queue has been emptied, so that the next look need not step over what is gone already.
 *
 * <p>What is deleted from a queue stays in its index until a vacuum comes by, and as long as any transaction in the
 * database is old enough to see it; after an hour with a forgotten transaction each claim would step over millions of
 * entries. A look therefore starts at the mark the last one reached. That is a hint and no more: entries may appear behind
 * the mark (a transaction that took its time, a clock that was set back, a claimer that died). So now and then, and
 * whenever a look from the mark finds too little and it is cheap, one starts at the beginning. Looks from the beginning
 * get at most a twentieth of the time.
 *
 * <p>Kept in memory by each store for itself. Thread-safe; of two that look at once, the last one's mark stays.
 */
final class PostgresLowWater {

    /** A place in a queue; entries are in the order of both numbers. */
    record Mark(long major, long minor) {
        static final Mark BEGINNING = new Mark(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private static final int SHARE = 20;
    private static final long CHEAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Time time;
    private volatile Mark mark = Mark.BEGINNING;
    private volatile long lastFullLook;
    private volatile long price;

    PostgresLowWater(Time time) {
        this.time = time;
        lastFullLook = time.nanos();
    }

    /** What is added from here on is found by the next look. */
    long reached() {
        Mark last = mark;
        return last == Mark.BEGINNING ? last.major() : last.major() + 1;
    }

    /** Where to start. */
    Look look() {
        long now = time.nanos();
        return new Look(now - lastFullLook >= SHARE * price ? Mark.BEGINNING : mark, now);
    }

    /** A look that began somewhere; its findings count once they are committed. */
    final class Look {
        private final Mark from;
        private final long began;
        private Mark reached;
        private boolean satisfied;

        private Look(Mark from, long began) {
            this.from = from;
            this.began = began;
            reached = from;
        }

        Mark from() {
            return from;
        }

        /** Where to go on: at the furthest entry found so far. */
        Mark next() {
            return reached;
        }

        /** Found this entry, the furthest so far. */
        void reach(long major, long minor) {
            reached = new Mark(major, minor);
        }

        /** Found as much as was asked for: there may be more behind what it reached. */
        void satisfied() {
            satisfied = true;
        }

        /** Another look from the beginning, when this one was not and it costs little; else null. */
        Look again() {
            boolean worthwhile = from != Mark.BEGINNING && price < CHEAP_NANOS;
            return worthwhile ? new Look(Mark.BEGINNING, time.nanos()) : null;
        }

        /** To be called when the look is over. */
        void ended() {
            if (from == Mark.BEGINNING) {
                lastFullLook = time.nanos();
                price = lastFullLook - began;
            }
        }

        /** To be called when what was found is taken for good. */
        void committed() {
            if (satisfied || reached.major() > mark.major()) {
                mark = reached;
            }
        }
    }
}
