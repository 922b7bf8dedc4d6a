package io.redrive.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** The consumer of one member of a {@link SimulatedGroup}. Commits take effect later, get lost, or are refused. */
final class SimulatedConsumer extends MockConsumer<byte[], byte[]> {

    private final SimulatedGroup group;
    private final String process;
    private final Random random;
    private final GroupLedger ledger;
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private final Deque<Runnable> commits = new ArrayDeque<>();
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private ConsumerRebalanceListener listener;
    /** Commits fail now and then. */
    boolean isTroubled;
    /** No commit arrives: the coordinator of the group is away, and the leaders of partitions are not. */
    boolean isCutOff;

    SimulatedConsumer(SimulatedGroup group, String process, Random random, GroupLedger ledger) {
        super("earliest");
        this.group = group;
        this.process = process;
        this.random = random;
        this.ledger = ledger;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener rebalances) {
        listener = rebalances;
        group.join(this);
    }

    @Override
    public Set<TopicPartition> assignment() {
        return Set.copyOf(positions.keySet());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        arrive();
        while (!callbacks.isEmpty()) {
            callbacks.removeFirst().run();
        }
        if (group.isMember(this)) {
            follow();
        } else {
            Set<TopicPartition> lost = assignment();
            positions.clear();
            if (!lost.isEmpty()) {
                listener.onPartitionsLost(lost);
            }
            group.join(this);
        }
        return fetch();
    }

    private void follow() {
        Set<TopicPartition> target = group.target(this);
        List<TopicPartition> revoked = positions.keySet().stream()
                .filter(partition -> !target.contains(partition))
                .toList();
        if (!revoked.isEmpty()) {
            listener.onPartitionsRevoked(revoked);
            for (TopicPartition partition : revoked) {
                positions.remove(partition);
                paused.remove(partition);
                group.giveUp(this, partition);
            }
        }
        List<TopicPartition> assigned = target.stream()
                .filter(partition -> !positions.containsKey(partition) && group.take(this, partition))
                .sorted((one, other) -> one.partition() - other.partition())
                .toList();
        for (TopicPartition partition : assigned) {
            positions.put(
                    partition,
                    group.committed(partition).map(OffsetAndMetadata::offset).orElse(0L));
            ledger.assigned(process, partition);
        }
        if (!assigned.isEmpty()) {
            listener.onPartitionsAssigned(assigned);
        }
    }

    private ConsumerRecords<byte[], byte[]> fetch() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fetched = new HashMap<>();
        for (TopicPartition partition : new ArrayList<>(positions.keySet())) {
            if (!paused.contains(partition)) {
                List<ConsumerRecord<byte[], byte[]>> records =
                        group.read(partition, positions.get(partition), 1 + random.nextInt(8));
                if (!records.isEmpty()) {
                    fetched.put(partition, records);
                    positions.put(partition, records.get(records.size() - 1).offset() + 1);
                }
                positions.computeIfPresent(partition, (unused, at) -> group.nextFetch(partition, at));
            }
        }
        return new ConsumerRecords<>(fetched, Map.of());
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        boolean arrives = !isCutOff && (!isTroubled || random.nextInt(4) > 0);
        boolean isAnswered = !isTroubled || random.nextInt(4) > 0;
        commits.add(() -> {
            boolean counts = arrives && group.isMember(this);
            if (counts) {
                offsets.forEach((partition, offset) -> group.commit(process, partition, offset));
            }
            callbacks.add(() -> callback.onComplete(
                    offsets, counts && isAnswered ? null : new RetriableCommitFailedException("not answered")));
        });
    }

    /** Requests under way reach the broker. */
    void arrive() {
        while (!commits.isEmpty()) {
            commits.removeFirst().run();
        }
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        arrive();
        if (!group.isMember(this)) {
            throw new CommitFailedException();
        }
        boolean fails = isTroubled && random.nextInt(5) == 0;
        if (!fails || random.nextBoolean()) {
            offsets.forEach((partition, offset) -> group.commit(process, partition, offset));
        }
        if (fails) {
            throw new TimeoutException("the broker did not answer");
        }
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> asked, Duration timeout) {
        if (group.isMember(this) && random.nextInt(4) == 0) {
            // With the protocol of KIP-848 a rebalance may happen inside of any call.
            follow();
        }
        Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
        asked.forEach(
                partition -> found.put(partition, group.committed(partition).orElse(null)));
        return found;
    }

    @Override
    public long position(TopicPartition partition, Duration timeout) {
        Long position = positions.get(partition);
        if (position == null) {
            throw new IllegalStateException("No current assignment for partition " + partition);
        }
        return position;
    }

    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        return OptionalLong.of(group.end(partition) - position(partition, Duration.ZERO));
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        if (!positions.containsKey(partition)) {
            throw new IllegalStateException("No current assignment for partition " + partition);
        }
        positions.put(partition, offset);
    }

    @Override
    public void pause(Collection<TopicPartition> some) {
        paused.addAll(some);
    }

    @Override
    public void resume(Collection<TopicPartition> some) {
        paused.removeAll(some);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> some, Duration timeout) {
        return some.stream().collect(Collectors.toMap(partition -> partition, group::end));
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> some, Duration timeout) {
        return some.stream().collect(Collectors.toMap(partition -> partition, group::beginning));
    }

    @Override
    public void close() {
        if (group.isMember(this) && !positions.isEmpty()) {
            listener.onPartitionsRevoked(assignment());
        }
        positions.clear();
        group.expel(this);
    }
}
