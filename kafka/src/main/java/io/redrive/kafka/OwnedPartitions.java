package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of this process and the claims on their records, shared by the intake and the threads of the pipeline. A
 * partition that left takes its claims along: settlements of these claims are stale. Thread-safe.
 */
final class OwnedPartitions {

    private static final int OFFSET_BITS = 44;

    private final Map<TopicPartition, OwnedPartition> owned = new LinkedHashMap<>();
    private final LentRecords lent = new LentRecords();
    /** Numbers of partitions, in the order of their first assignment. */
    private final Map<TopicPartition, Long> numbers = new HashMap<>();

    /** Positions of records whose partition left while they were lent, by the tokens of their claims. */
    private final Map<Long, Long> orphans = new HashMap<>();

    /** Assigned partitions that are not owned yet. */
    final WaitingPartitions waiting = new WaitingPartitions();

    private final Time time;
    private final Duration longestReturn;
    private Instant lastTurn = Instant.MIN;
    private int firstServed;

    /**
     * Creates an empty set of partitions.
     *
     * @param longestReturn how long a leaving partition waits for the handlers of its records
     */
    OwnedPartitions(Time time, Duration longestReturn) {
        this.time = time;
        this.longestReturn = longestReturn;
    }

    /** Runs work under the lock of the books. */
    synchronized <T> T locked(Supplier<T> work) {
        return work.get();
    }

    synchronized void run(Runnable work) {
        work.run();
    }

    synchronized void add(OwnedPartition partition) {
        remove(partition.partition);
        partition.number(numbers.computeIfAbsent(partition.partition, unused -> (long) numbers.size()));
        owned.put(partition.partition, partition);
    }

    /** Removes a partition together with the claims on the partition's records. */
    synchronized Optional<OwnedPartition> remove(TopicPartition partition) {
        Optional<OwnedPartition> gone = Optional.ofNullable(owned.remove(partition));
        gone.ifPresent(owner ->
                lent.removeAll(owner).forEach(each -> orphans.put(each.token(), positionOf(owner, each.record()))));
        return gone;
    }

    /**
     * Lends no further records of leaving partitions, and waits until the handlers of lent records have ended, or for the longest
     * time. A handler that still runs when the next owner begins would handle its record beside, or after, later records of its key.
     */
    synchronized void awaitReturn(Collection<TopicPartition> leaving) {
        Set<OwnedPartition> owners = new HashSet<>();
        leaving.forEach(partition -> get(partition).ifPresent(owners::add));
        owners.forEach(OwnedPartition::leaves);
        long end = time.nanos() + longestReturn.toNanos();
        try {
            for (long left = end - time.nanos();
                    left > 0 && lent.anyOwner(owners::contains);
                    left = end - time.nanos()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized boolean owns(OwnedPartition partition) {
        return owned.get(partition.partition) == partition;
    }

    synchronized List<OwnedPartition> all() {
        return new ArrayList<>(owned.values());
    }

    /**
     * Moves the turn to the next partition. An exchange asks for the partitions once for each lane: a turn that moved with each
     * question would leave every second partition out.
     */
    synchronized void nextTurn() {
        firstServed++;
    }

    /** Returns the partitions that do not leave, in the order of the present turn. */
    synchronized List<OwnedPartition> inTurn() {
        List<OwnedPartition> all =
                owned.values().stream().filter(owner -> !owner.isLeaving()).toList();
        if (all.isEmpty()) {
            return all;
        }
        int first = Math.floorMod(firstServed, all.size());
        List<OwnedPartition> turned = new ArrayList<>(all.subList(first, all.size()));
        turned.addAll(all.subList(0, first));
        return turned;
    }

    synchronized Optional<OwnedPartition> get(TopicPartition partition) {
        return Optional.ofNullable(owned.get(partition));
    }

    /** Lends a record. Positions and tokens are negative: the store under the flow gives positive ones. */
    synchronized Claim lend(OwnedPartition owner, BookedRecord record, Instant now) {
        return record.claim(positionOf(owner, record), lent.lend(owner, record), now);
    }

    /** Returns the same position for the same record, also after its partition left and came back. */
    private static long positionOf(OwnedPartition owner, BookedRecord record) {
        return -(owner.number() << OFFSET_BITS | record.offset) - 1;
    }

    /** Returns true while a handler of this process has the record from before its partition left and came back. */
    synchronized boolean isHandledStill(OwnedPartition owner, BookedRecord record) {
        return !orphans.isEmpty() && orphans.containsValue(positionOf(owner, record));
    }

    /** A claim whose partition left has ended. */
    synchronized void orphanReturned(Claim claim) {
        orphans.remove(claim.token());
    }

    /** The intake has heard of the group at this time. */
    synchronized void turnTaken(Instant now) {
        lastTurn = now;
    }

    /** Returns when the intake heard of the group last; empty before the first time. */
    synchronized Optional<Instant> lastTurn() {
        return lastTurn.equals(Instant.MIN) ? Optional.empty() : Optional.of(lastTurn);
    }

    /** Returns true when the intake has been silent for so long that the group may have given the partitions away. */
    synchronized boolean isSilent(Instant now, Duration session) {
        return !lastTurn.equals(Instant.MIN) && now.isAfter(lastTurn.plus(session));
    }

    static boolean isOurs(long token) {
        return token < 0;
    }

    synchronized Optional<LentRecords.Lent> lent(Claim claim) {
        return Optional.ofNullable(lent.get(claim.token()));
    }

    /** Ends the claim. Returns null when the partition has left. Callers call {@link #returned} after the last claim. */
    synchronized LentRecords.@Nullable Lent takeBack(Claim claim) {
        LentRecords.@Nullable Lent back = lent.remove(claim.token());
        if (back == null) {
            orphanReturned(claim);
        }
        return back;
    }

    /** Wakes {@link #awaitReturn}. */
    synchronized void returned() {
        notifyAll();
    }

    synchronized long openBytes() {
        return owned.values().stream().mapToLong(each -> each.book.openBytes()).sum();
    }

    synchronized boolean anyBook(Predicate<PartitionBook> test) {
        return owned.values().stream().anyMatch(owner -> test.test(owner.book));
    }

    /** Returns true while a handler of this process has a record, also after the partition of the record left. */
    synchronized boolean isLent() {
        return !lent.isEmpty() || !orphans.isEmpty();
    }

    synchronized boolean isEmpty() {
        return owned.isEmpty();
    }
}
