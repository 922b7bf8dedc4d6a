package io.redrive.kafka;

import java.util.Collection;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which records of a partition may be in a handler, as far as the broker knows. Only a careful owner announces records: an owner that
 * took the partition over from a process that ended without a release. Such an end may be the work of a record.
 *
 * <p>A careful owner commits the offset of a record as announced before the record's handler begins, and takes the offset out of the
 * progress when the handler has ended. When the careful owner ends without a release too, at the same watermark, the announced records
 * are the only ones of the records below the careful offset that can have ended both processes: these become suspects. At most {@link
 * #MOST} records are announced at once, so few innocent records become suspects, however many records wait behind the watermark.
 *
 * <p>Rejected: suspecting all unfinished records. A record that waits behind its key keeps the watermark where it is for minutes,
 * while thousands of later records arrive. Rejected too: announcing records before the first crash, which would cost every owner a
 * commit before each handler. Pure, not thread-safe.
 */
final class Announcements {

    /** The most announced records of a partition; so many suspects fit into the metadata beside any progress. */
    static final int MOST = 64;

    /** Suspects that are not delivered yet. */
    private final NavigableSet<Long> expected = new TreeSet<>();
    /** Delivered suspects that are not finished. */
    private final Set<Long> suspects = new HashSet<>();
    /** Offsets that wait for the acknowledgement of the broker. */
    private final Set<Long> asked = new HashSet<>();

    private final Set<Long> acknowledged = new HashSet<>();
    private long carefulBelow = Long.MIN_VALUE;

    /**
     * Begins carefully.
     *
     * @param below records below this offset are announced
     * @param suspected records that may have ended the owners before; never handed to a handler of a record
     */
    void beginCarefully(long below, Collection<Long> suspected) {
        carefulBelow = below;
        expected.addAll(suspected);
    }

    /** Returns true when the delivered record is a suspect. */
    boolean delivered(long offset) {
        boolean isSuspect = !expected.isEmpty() && expected.remove(offset);
        if (isSuspect) {
            suspects.add(offset);
        }
        return isSuspect;
    }

    /** Forgets suspects that the log no longer has. */
    void forgetUndeliveredBelow(long offset) {
        if (!expected.isEmpty()) {
            expected.headSet(offset, false).clear();
        }
    }

    /** Returns true when a handler may begin. Otherwise the next commit announces the record, as soon as there is room. */
    boolean mayBegin(long offset) {
        if (!isCareful(offset) || acknowledged.contains(offset)) {
            return true;
        }
        if (size() < MOST) {
            asked.add(offset);
        }
        return false;
    }

    /** Returns true when the record must be announced. */
    boolean isCareful(long offset) {
        return offset < carefulBelow;
    }

    private int size() {
        return expected.size() + suspects.size() + asked.size() + acknowledged.size();
    }

    /** No handler has the record, or will get it soon. */
    void withdraw(long offset) {
        if (isCareful(offset)) {
            asked.remove(offset);
            acknowledged.remove(offset);
        }
    }

    /** The record is done, or the store has it. */
    void finished(long offset) {
        withdraw(offset);
        if (!suspects.isEmpty()) {
            suspects.remove(offset);
        }
    }

    /** The broker has acknowledged a progress with these announced offsets. */
    void acknowledged(Collection<Long> announced) {
        announced.stream().filter(asked::remove).forEach(acknowledged::add);
    }

    /** Returns true while records wait for an acknowledgement, or are about to. */
    boolean areUnderWay() {
        return !asked.isEmpty() || !acknowledged.isEmpty();
    }

    /** Returns true while records wait for an acknowledgement. */
    boolean areAsked() {
        return !asked.isEmpty();
    }

    /** Returns the offsets for the next commit. Suspects stay announced until the store has them. */
    NavigableSet<Long> all() {
        NavigableSet<Long> all = new TreeSet<>(expected);
        all.addAll(suspects);
        all.addAll(asked);
        all.addAll(acknowledged);
        return all;
    }
}
