package io.redrive.kafka;

import io.redrive.events.Claim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions of this process and the claims on their records, shared by the intake and the threads of the pipeline. A
 * partition that left takes its claims along: settlements of these claims are stale. Thread-safe.
 */
final class OwnedPartitions {

    private static final int OFFSET_BITS = 44;

    private final Map<TopicPartition, OwnedPartition> owned = new LinkedHashMap<>();
    private final Map<Long, Lent> lent = new HashMap<>();
    /** Numbers of partitions, in the order of their first records. */
    private final Map<TopicPartition, Long> numbers = new HashMap<>();

    private long lastToken;
    private int firstServed;

    /** A claimed record and the owner of its partition. */
    record Lent(OwnedPartition owner, BookedRecord record) {}

    /** Runs work under the lock of the books. */
    synchronized <T> T locked(Supplier<T> work) {
        return work.get();
    }

    synchronized void run(Runnable work) {
        work.run();
    }

    synchronized void add(OwnedPartition partition) {
        owned.put(partition.partition, partition);
    }

    /** Removes a partition together with the claims on the partition's records. */
    synchronized Optional<OwnedPartition> remove(TopicPartition partition) {
        Optional<OwnedPartition> gone = Optional.ofNullable(owned.remove(partition));
        gone.ifPresent(owner -> lent.values().removeIf(each -> each.owner() == owner));
        return gone;
    }

    synchronized boolean owns(OwnedPartition partition) {
        return owned.get(partition.partition) == partition;
    }

    synchronized List<OwnedPartition> all() {
        return new ArrayList<>(owned.values());
    }

    /** Returns all partitions. The first partition changes from call to call, which serves all partitions alike. */
    synchronized List<OwnedPartition> inTurn() {
        List<OwnedPartition> all = all();
        if (all.isEmpty()) {
            return all;
        }
        firstServed = (firstServed + 1) % all.size();
        List<OwnedPartition> turned = new ArrayList<>(all.subList(firstServed, all.size()));
        turned.addAll(all.subList(0, firstServed));
        return turned;
    }

    synchronized Optional<OwnedPartition> get(TopicPartition partition) {
        return Optional.ofNullable(owned.get(partition));
    }

    /** Lends a record. Positions and tokens are negative: the store under the flow gives positive ones. */
    synchronized Claim lend(OwnedPartition owner, BookedRecord record, Instant now) {
        long token = --lastToken;
        lent.put(token, new Lent(owner, record));
        return record.claim(positionOf(owner.partition, record.offset), token, now);
    }

    /** Returns the same position for the same record, also after its partition left and came back. */
    private long positionOf(TopicPartition partition, long offset) {
        long number = numbers.computeIfAbsent(partition, unused -> (long) numbers.size());
        return -(number << OFFSET_BITS | offset) - 1;
    }

    static boolean isOurs(long token) {
        return token < 0;
    }

    synchronized Optional<Lent> lent(Claim claim) {
        return Optional.ofNullable(lent.get(claim.token()));
    }

    synchronized void takenBack(Claim claim) {
        lent.remove(claim.token());
    }

    synchronized long openBytes() {
        return owned.values().stream().mapToLong(each -> each.book.openBytes()).sum();
    }

    synchronized boolean isEmpty() {
        return owned.isEmpty();
    }
}
