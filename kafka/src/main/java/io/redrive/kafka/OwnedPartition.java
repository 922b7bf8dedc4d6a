package io.redrive.kafka;

import io.redrive.events.Bookmark;
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * A partition that this process owns: its book, its bookmark, and which adoptions are under way. Guarded by the lock of {@link
 * OwnedPartitions}.
 */
final class OwnedPartition {

    final TopicPartition partition;
    final Bookmark bookmark;
    final String keyPrefix;
    final PartitionBook book;
    private long number;
    private int adopting;
    private long adoptionsBegun;
    private Progress committed;
    private boolean isPaused;
    /** Time of the monotonic clock at which the partition was paused. */
    private long pausedAt;

    private boolean isResting;
    private long end;
    private boolean isLeaving;

    OwnedPartition(
            TopicPartition partition, Bookmark bookmark, String keyPrefix, PartitionBook book, Progress committed) {
        this.partition = partition;
        this.bookmark = bookmark;
        this.keyPrefix = keyPrefix;
        this.book = book;
        this.committed = committed;
    }

    /** The number of the partition within this process, which stays the same when the partition leaves and comes back. */
    long number() {
        return number;
    }

    void number(long given) {
        number = given;
    }

    void adoptionBegins() {
        adopting++;
        adoptionsBegun++;
    }

    void adoptionEnds() {
        adopting--;
    }

    /**
     * Returns a number that stays the same while no adoption begins, or -1 while one is under way: keys that the store reported as
     * finished may be used only when the number was the same before and after the question.
     */
    long quietSince() {
        return adopting > 0 ? -1 : adoptionsBegun;
    }

    void storeFinished(Set<String> keys, long askedAt) {
        if (askedAt >= 0 && quietSince() == askedAt) {
            book.storeFinished(keys);
        }
    }

    /** The progress that the broker has acknowledged. */
    Progress committed() {
        return committed;
    }

    void committed(Progress acknowledged) {
        committed = acknowledged;
        book.announcements().acknowledged(acknowledged.announced());
    }

    /** Records that the broker had at the last look and that are not finished; 0 before the first look. */
    long lag() {
        return Math.max(0, end - book.watermark());
    }

    void end(long offset) {
        end = offset;
    }

    /** No further record is lent. */
    void leaves() {
        isLeaving = true;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    boolean isPaused() {
        return isPaused;
    }

    void pause(long nanos) {
        isPaused = true;
        pausedAt = nanos;
    }

    void resume() {
        isPaused = false;
    }

    /** Returns how long the partition has been paused. */
    Duration pausedFor(long nanos) {
        return Duration.ofNanos(isPaused ? nanos - pausedAt : 0);
    }

    /** Returns true while the partition, read to its end, is paused for the sake of a full partition. */
    boolean isResting() {
        return isResting;
    }

    void resting(boolean value) {
        isResting = value;
    }
}
