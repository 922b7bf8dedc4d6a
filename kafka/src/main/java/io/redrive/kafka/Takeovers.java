package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Bookmark;
import io.redrive.events.EventStore;
import io.redrive.events.Takeover;
import io.redrive.events.TakeoverRequest;
import io.redrive.events.flow.PauseReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Takes assigned partitions over: reads the committed progress, raises the epoch of the bookmark, and opens the book. Used by the
 * thread of the intake alone.
 *
 * <p>A committed offset without metadata of Redrive was set by an operator, or is the first one. The store forgets the settled places
 * from there on, and the flow commits its own metadata before it handles a record: so a later takeover can tell that the places
 * settled since then belong to this reading of the log.
 */
final class Takeovers {

    private static final Logger LOG = System.getLogger(Takeovers.class.getName());
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration COMPLAIN = Duration.ofSeconds(10);
    /** From this many owners on that ended at the same place, the announced records there are suspects. */
    private static final int CRASHES = 2;

    private final FlowSettings settings;
    private final EventStore store;
    private final OwnedPartitions partitions;
    private final LostRecords lost;
    private final Time time;
    private final SoleMember member;
    private final String owner = UUID.randomUUID().toString();
    private final Set<TopicPartition> assigned = new LinkedHashSet<>();
    /** The last epoch of this process, by partition. */
    private final Map<TopicPartition, Long> epochs = new HashMap<>();

    private Instant complained = Instant.MIN;

    Takeovers(FlowSettings settings, EventStore store, OwnedPartitions partitions, LostRecords lost, Time time) {
        this.settings = settings;
        this.store = store;
        this.partitions = partitions;
        this.lost = lost;
        this.time = time;
        member = new SoleMember(settings, store, new TopicCheck(settings, store)::members);
    }

    /**
     * Refuses to join a group that has its only member.
     *
     * @throws SecondMemberException naming the rule and the remedy
     */
    void requireEmptyGroup() {
        member.requireEmptyGroup();
    }

    void add(Collection<TopicPartition> more) {
        assigned.addAll(more);
        member.rebalanced();
    }

    /** Returns false when the partition waits for its takeover already. */
    boolean add(TopicPartition partition) {
        return assigned.add(partition);
    }

    void forget(Collection<TopicPartition> gone) {
        assigned.removeAll(gone);
        partitions.waiting.keepOnly(assigned);
    }

    void forgetAll() {
        forget(List.copyOf(assigned));
    }

    /** Releases bookmarks in good order. */
    void release(Collection<TopicPartition> leaving) {
        forget(leaving);
        for (TopicPartition partition : leaving) {
            partitions.remove(partition).ifPresent(gone -> release(partition, gone.bookmark));
        }
    }

    /** Takes assigned partitions over. Returns true when a partition was taken over. */
    boolean run(Consumer<byte[], byte[]> consumer) {
        if (assigned.isEmpty()) {
            return false;
        }
        boolean any = false;
        try {
            if (!member.isAlone(() -> consumer.groupMetadata().memberId())) {
                partitions.waiting.tell(consumer, assigned, PauseReason.OTHER_MEMBER, time.now());
                return false;
            }
            for (TopicPartition partition : new ArrayList<>(assigned)) {
                if (consumer.assignment().contains(partition)) {
                    takeOver(consumer, partition);
                    any = true;
                }
                assigned.remove(partition);
            }
        } catch (KafkaException | SecondMemberException e) {
            throw e;
        } catch (RuntimeException e) {
            complain("partitions " + assigned + " wait for the store: " + e.getMessage());
            partitions.waiting.tell(consumer, assigned, PauseReason.STORE, time.now());
        }
        partitions.waiting.keepOnly(assigned);
        return any;
    }

    private void complain(String message) {
        Instant now = time.now();
        if (complained.equals(Instant.MIN) || now.isAfter(complained.plus(COMPLAIN))) {
            complained = now;
            LOG.log(Level.WARNING, message);
        }
    }

    private void takeOver(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
        @Nullable
        OffsetAndMetadata committed =
                consumer.committed(Set.of(partition), ANSWER).get(partition);
        boolean isOurs = committed != null && Progress.isOurs(committed.metadata());
        Progress from = committed == null
                ? Progress.at(consumer.position(partition, ANSWER))
                : Progress.read(committed.offset(), committed.metadata());
        String prefix = KeyNames.prefix(settings.group(), partition.topic(), partition.partition());
        Takeover taken = store.adoptions()
                .takeOver(
                        new TakeoverRequest(
                                KeyNames.bookmark(settings.group(), partition.topic(), partition.partition()),
                                owner,
                                from.watermark(),
                                !isOurs,
                                settings.orderedByKey() ? prefix : ""),
                        time.now());
        if (committed == null && taken.bookmark().epoch() > 1) {
            lost.offsetGone(partition, from.watermark());
        }
        try {
            if (!isOurs) {
                consumer.commitSync(
                        Map.of(partition, new OffsetAndMetadata(from.watermark(), from.metadata())), ANSWER);
            }
            PartitionBook book = new PartitionBook(from, taken.settled(), taken.waitingKeys());
            if (taken.crashes() > 0) {
                beginCarefully(consumer, partition, book, suspects(partition, taken, from));
            }
            epochs.put(partition, taken.bookmark().epoch());
            consumer.seek(partition, from.watermark());
            consumer.resume(List.of(partition));
            partitions.add(new OwnedPartition(partition, taken.bookmark(), prefix, book, from));
        } catch (KafkaException | IllegalStateException e) {
            // No record was delivered: the next owner must not take this process for crashed.
            release(partition, taken.bookmark());
            throw e;
        }
    }

    private void release(TopicPartition partition, Bookmark bookmark) {
        try {
            store.adoptions().release(bookmark);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "bookmark of " + partition + " was not released: " + e.getMessage());
        }
    }

    /** Returns what the owner before may have had in its handlers, unless the owner before was this process, which lives. */
    private Set<Long> suspects(TopicPartition partition, Takeover taken, Progress from) {
        boolean isRegained =
                Objects.equals(epochs.get(partition), taken.bookmark().epoch() - 1);
        if (taken.crashes() < CRASHES || isRegained) {
            return Set.of();
        }
        Set<Long> suspects = new TreeSet<>(from.announced());
        suspects.removeAll(from.finished());
        suspects.removeAll(taken.settled());
        if (!suspects.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "the last owners of partition " + partition + " ended at offset " + from.watermark()
                            + " without a release; the " + suspects.size()
                            + " records that the last owner may have had in its handlers are handled one by one");
        }
        return suspects;
    }

    /** Records from the watermark on may have ended the owner before: they are announced before their handlers begin. */
    private static void beginCarefully(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, PartitionBook book, Set<Long> suspects) {
        long end = consumer.endOffsets(List.of(partition), ANSWER).getOrDefault(partition, 0L);
        book.announcements().beginCarefully(Math.min(end, book.watermark() + Progress.SPAN), suspects);
    }
}
