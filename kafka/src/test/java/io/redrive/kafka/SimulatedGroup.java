package io.redrive.kafka;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * A broker with one consumer group, on one thread: logs with gaps, committed offsets, members, and which member owns which partition.
 * A partition changes hands when its owner has given it up, or was expelled.
 */
final class SimulatedGroup {

    static final String TOPIC = "orders";

    private final Random random;
    private final GroupLedger ledger;
    private final boolean isKeyed;
    private final Map<TopicPartition, TreeMap<Long, ConsumerRecord<byte[], byte[]>>> logs = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Long> beginnings = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private final Map<TopicPartition, SimulatedConsumer> owners = new HashMap<>();
    private final Set<SimulatedConsumer> members = new LinkedHashSet<>();

    SimulatedGroup(Random random, GroupLedger ledger, boolean isKeyed) {
        this.random = random;
        this.ledger = ledger;
        this.isKeyed = isKeyed;
    }

    void addPartition() {
        TopicPartition partition = new TopicPartition(TOPIC, logs.size());
        logs.put(partition, new TreeMap<>());
        ends.put(partition, 0L);
    }

    List<TopicPartition> partitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (int number = 0; number < logs.size(); number++) {
            all.add(new TopicPartition(TOPIC, number));
        }
        return all;
    }

    /** Appends records; now and then offsets are left out, as compaction and aborted transactions do. */
    void append(int count) {
        for (int i = 0; i < count; i++) {
            TopicPartition partition = partitions().get(random.nextInt(logs.size()));
            long offset = ends.get(partition) + (random.nextInt(5) == 0 ? random.nextInt(20) : 0);
            byte[] key = isKeyed ? text("key-" + random.nextInt(4)) : null;
            logs.get(partition)
                    .put(
                            offset,
                            new ConsumerRecord<>(
                                    TOPIC,
                                    partition.partition(),
                                    offset,
                                    0,
                                    TimestampType.CREATE_TIME,
                                    0,
                                    0,
                                    key,
                                    text("value-" + offset),
                                    new RecordHeaders(),
                                    Optional.empty()));
            ledger.sent(partition, offset, Optional.ofNullable(key).map(SimulatedGroup::string));
            ends.put(partition, offset + 1);
        }
        // The marker of a transaction ends the log: no record has this offset.
        if (random.nextInt(4) == 0) {
            ends.merge(partitions().get(0), 1L, Long::sum);
        }
    }

    /** Chooses a record that ends each process that handles it. */
    void poison() {
        TopicPartition partition = partitions().get(random.nextInt(logs.size()));
        List<Long> offsets = List.copyOf(logs.get(partition).keySet());
        if (!offsets.isEmpty()) {
            ledger.poison(partition, offsets.get(random.nextInt(offsets.size())));
        }
    }

    private static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static String string(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    // ---- the group

    void join(SimulatedConsumer member) {
        members.add(member);
    }

    void expel(SimulatedConsumer member) {
        members.remove(member);
        owners.values().removeIf(owner -> owner == member);
    }

    boolean isMember(SimulatedConsumer member) {
        return members.contains(member);
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    /** Returns the partitions that a member should own. */
    Set<TopicPartition> target(SimulatedConsumer member) {
        List<SimulatedConsumer> order = new ArrayList<>(members);
        Set<TopicPartition> share = new HashSet<>();
        for (TopicPartition partition : partitions()) {
            if (order.get(partition.partition() % order.size()) == member) {
                share.add(partition);
            }
        }
        return share;
    }

    boolean take(SimulatedConsumer member, TopicPartition partition) {
        return owners.putIfAbsent(partition, member) == null;
    }

    void giveUp(SimulatedConsumer member, TopicPartition partition) {
        owners.remove(partition, member);
    }

    // ---- offsets

    Optional<OffsetAndMetadata> committed(TopicPartition partition) {
        return Optional.ofNullable(committed.get(partition));
    }

    void commit(String process, TopicPartition partition, OffsetAndMetadata offset) {
        committed.put(partition, offset);
        ledger.committed(process, partition, Progress.read(offset.offset(), offset.metadata()));
    }

    /** Sets an offset back as an operator does while no member is there. */
    void reset(TopicPartition partition, long offset) {
        committed.put(partition, new OffsetAndMetadata(offset));
        ledger.reset(partition, offset);
    }

    /** Forgets the offset of a partition, as a broker does with a group that was away for too long. */
    void expire(TopicPartition partition) {
        committed.remove(partition);
        ledger.reset(partition, 0);
    }

    /** Deletes records, as retention does. */
    void deleteBelow(TopicPartition partition, long offset) {
        logs.get(partition).headMap(offset, false).clear();
        beginnings.put(partition, offset);
        ledger.deleted(partition, offset);
    }

    long beginning(TopicPartition partition) {
        return beginnings.getOrDefault(partition, 0L);
    }

    long end(TopicPartition partition) {
        return ends.get(partition);
    }

    List<ConsumerRecord<byte[], byte[]>> read(TopicPartition partition, long from, int limit) {
        return logs.get(partition).tailMap(from, true).values().stream()
                .limit(limit)
                .toList();
    }

    /** Returns the first record from an offset on, or the end of the log. */
    long nextFetch(TopicPartition partition, long from) {
        return Optional.ofNullable(logs.get(partition).ceilingKey(from)).orElse(end(partition));
    }

    boolean hasLag() {
        return partitions().stream()
                .anyMatch(partition ->
                        committed(partition).map(OffsetAndMetadata::offset).orElse(0L) < end(partition));
    }
}
