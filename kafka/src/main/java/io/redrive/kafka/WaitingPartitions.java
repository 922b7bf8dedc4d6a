package io.redrive.kafka;

import io.redrive.events.flow.PauseReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Assigned partitions that this process could not take over yet, for reports: a process that handles no record would report no lag
 * otherwise. Told by the thread of the intake, read by any thread.
 */
final class WaitingPartitions {

    private static final Logger LOG = System.getLogger(WaitingPartitions.class.getName());
    /** How often the ends of the partitions are asked for. */
    private static final Duration ENDS = Duration.ofSeconds(5);

    private static final Duration ANSWER = Duration.ofSeconds(1);

    private volatile Map<TopicPartition, Wait> waits = Map.of();
    private volatile boolean isOutside;
    private Map<TopicPartition, Long> lags = Map.of();
    private Instant asked = Instant.MIN;

    /** Why a partition was not taken over, and how many of its records are not finished. */
    record Wait(PauseReason reason, long lag) {}

    /** The process stays outside of its group, or joins. */
    void outside(boolean value) {
        isOutside = value;
    }

    boolean isOutside() {
        return isOutside;
    }

    Map<TopicPartition, Wait> all() {
        return waits;
    }

    void tell(Consumer<?, ?> consumer, Collection<TopicPartition> assigned, PauseReason reason, Instant now) {
        if (asked.equals(Instant.MIN)
                || !now.isBefore(asked.plus(ENDS))
                || !lags.keySet().containsAll(assigned)) {
            asked = now;
            lags = lags(consumer, assigned);
        }
        Map<TopicPartition, Wait> told = new HashMap<>();
        assigned.forEach(partition -> told.put(partition, new Wait(reason, lags.getOrDefault(partition, 0L))));
        waits = Map.copyOf(told);
    }

    void keepOnly(Collection<TopicPartition> assigned) {
        if (!waits.isEmpty()) {
            Map<TopicPartition, Wait> kept = new HashMap<>(waits);
            kept.keySet().retainAll(assigned);
            waits = Map.copyOf(kept);
        }
    }

    private static Map<TopicPartition, Long> lags(Consumer<?, ?> consumer, Collection<TopicPartition> assigned) {
        Map<TopicPartition, Long> lags = new HashMap<>();
        List<TopicPartition> known =
                assigned.stream().filter(consumer.assignment()::contains).toList();
        try {
            consumer.endOffsets(known, ANSWER)
                    .forEach((partition, end) ->
                            lags.put(partition, Math.max(0, end - consumer.position(partition, ANSWER))));
        } catch (TimeoutException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "the lag of waiting partitions is not known: " + e.getMessage());
        }
        return lags;
    }
}
