package io.redrive.kafka;

import io.redrive.core.Time;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Warns of records that their topic deleted before they were handled, and of a group whose offsets are gone: the client of Kafka goes
 * on at a different offset without a word in both cases. Used by the thread of the intake alone.
 *
 * <p>Transactions and compaction leave gaps too, so the beginning of the log decides. The broker is asked for the beginning only after
 * a gap, and seldom.
 */
final class LostRecords {

    private static final Logger LOG = System.getLogger(LostRecords.class.getName());
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private final FlowSettings settings;
    private final Time time;
    private final Map<TopicPartition, Gap> gaps = new HashMap<>();
    private Instant looked = Instant.MIN;

    LostRecords(FlowSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
    }

    /** Offsets that were not delivered, from the first one to the one before {@code to}. */
    private record Gap(long from, long to) {
        long size() {
            return to - from;
        }
    }

    /** The client delivers {@code to} after the offset before {@code from}. */
    void jumped(TopicPartition partition, long from, long to) {
        gaps.merge(partition, new Gap(from, to), (one, other) -> one.size() >= other.size() ? one : other);
    }

    /** Warns of gaps that the beginning of the log explains. */
    void look(Consumer<?, ?> consumer) {
        Instant now = time.now();
        if (gaps.isEmpty() || !looked.equals(Instant.MIN) && now.isBefore(looked.plus(LOOK))) {
            return;
        }
        looked = now;
        gaps.keySet().retainAll(consumer.assignment());
        try {
            consumer.beginningOffsets(gaps.keySet(), ANSWER).forEach(this::warnOfDeletion);
            gaps.clear();
        } catch (TimeoutException e) {
            LOG.log(Level.DEBUG, "the beginnings of " + gaps.keySet() + " are asked for again: " + e.getMessage());
        }
    }

    private void warnOfDeletion(TopicPartition partition, long beginning) {
        Gap gap = gaps.getOrDefault(partition, new Gap(0, 0));
        if (gap.size() > 0 && beginning > gap.from()) {
            LOG.log(
                    Level.WARNING,
                    "up to " + gap.size() + " records of partition " + partition
                            + " are lost: they were not handled from offset "
                            + gap.from() + " on, the log begins at offset " + beginning
                            + " by now, and the flow goes on at offset " + gap.to() + " (auto.offset.reset=" + reset()
                            + "); let the topic keep records for longer than an outage may last (retention.ms, retention.bytes)");
        }
    }

    /** Tells that the group has no offset for a partition that a process of the group has read before. */
    void offsetGone(TopicPartition partition, long start) {
        LOG.log(
                Level.WARNING,
                "group " + settings.group() + " has read partition " + partition
                        + " before and has no offset for it any more: the group was deleted, or its offsets expired"
                        + " (offsets.retention.minutes); the flow starts at offset " + start + " (auto.offset.reset="
                        + reset()
                        + "), so records from there on are handled again, and letters they had are written again; to start elsewhere,"
                        + " stop all processes of the group and set its offsets");
    }

    private Object reset() {
        return settings.consumer().getOrDefault(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "");
    }
}
