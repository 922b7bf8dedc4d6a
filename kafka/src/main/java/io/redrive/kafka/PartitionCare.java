package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Adoptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Keeps partitions within their limits, and looks after records that wait behind stored events of their key. Used by the thread of the
 * intake alone.
 */
final class PartitionCare {

    private static final Logger LOG = System.getLogger(PartitionCare.class.getName());
    private static final Duration LOOK = Duration.ofMillis(200);
    /** How often the ends of paused partitions are asked for. */
    private static final Duration ENDS = Duration.ofSeconds(5);

    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final int KEYS_AT_ONCE = 1_000;
    private static final int PARKED_AT_ONCE = 500;

    private final FlowSettings settings;
    private final Adoptions adoptions;
    private final OwnedPartitions partitions;
    private final FlowExchange exchange;
    private final Time time;
    private Instant looked = Instant.MIN;
    private Instant askedForEnds = Instant.MIN;
    private boolean isDraining;

    PartitionCare(
            FlowSettings settings, Adoptions adoptions, OwnedPartitions partitions, FlowExchange exchange, Time time) {
        this.settings = settings;
        this.adoptions = adoptions;
        this.partitions = partitions;
        this.exchange = exchange;
        this.time = time;
    }

    /** Pauses partitions with many open records, and resumes them at half of the limit. */
    void limit(Consumer<byte[], byte[]> consumer) {
        long bytes = partitions.openBytes();
        long nanos = time.nanos();
        Set<TopicPartition> assigned = consumer.assignment();
        List<OwnedPartition> owners = partitions.all().stream()
                .filter(owner -> assigned.contains(owner.partition))
                .toList();
        for (OwnedPartition owner : owners) {
            int open = partitions.locked(owner.book::open);
            if (!owner.isPaused() && (open >= settings.maxRecords() || bytes >= settings.maxBytes() && open > 0)) {
                consumer.pause(List.of(owner.partition));
                owner.pause(nanos);
            } else if (owner.isPaused()
                    && (open == 0 || open <= settings.maxRecords() / 2 && bytes <= settings.maxBytes() / 2)) {
                consumer.resume(List.of(owner.partition));
                owner.resume();
            }
        }
        isDraining = owners.stream()
                .anyMatch(
                        owner -> owner.isPaused() && owner.pausedFor(nanos).compareTo(FlowSettings.LONGEST_FETCH) < 0);
        owners.forEach(owner -> rest(consumer, owner));
        askForEnds(consumer);
    }

    /**
     * Pauses a partition that is read to its end while a full partition drains. The client has one request at a broker at a time, and
     * the broker keeps a request without records for {@link FlowSettings#LONGEST_FETCH}: the next records of the drained partition would
     * wait for the end of the request. A partition that drains more slowly has records left for the time of a request.
     */
    private void rest(Consumer<byte[], byte[]> consumer, OwnedPartition owner) {
        boolean rests = isDraining
                && !owner.isPaused()
                && consumer.currentLag(owner.partition).orElse(1) == 0;
        if (rests && !owner.isResting()) {
            consumer.pause(List.of(owner.partition));
        } else if (!rests && owner.isResting() && !owner.isPaused()) {
            consumer.resume(List.of(owner.partition));
        }
        owner.resting(rests);
    }

    /** Returns true while a full partition drains quickly. */
    boolean isDraining() {
        return isDraining;
    }

    /** Asks for the ends of paused partitions: the client learns the end of a partition with its records, and fetches none. */
    private void askForEnds(Consumer<byte[], byte[]> consumer) {
        Instant now = time.now();
        boolean isDue = askedForEnds.equals(Instant.MIN) || !now.isBefore(askedForEnds.plus(ENDS));
        List<TopicPartition> paused = !isDue
                ? List.of()
                : partitions.all().stream()
                        .filter(OwnedPartition::isPaused)
                        .map(owner -> owner.partition)
                        .filter(consumer.assignment()::contains)
                        .toList();
        if (paused.isEmpty()) {
            return;
        }
        askedForEnds = now;
        try {
            consumer.endOffsets(paused, ANSWER)
                    .forEach((partition, end) ->
                            partitions.run(() -> partitions.get(partition).ifPresent(owner -> owner.end(end))));
        } catch (TimeoutException e) {
            LOG.log(Level.DEBUG, "the lag of paused partitions is as of their last fetch: " + e.getMessage());
        }
    }

    /** Asks the store for finished keys, and parks records of a full partition. Returns true when records became ready. */
    boolean tend() {
        Instant now = time.now();
        boolean news = wakeHeld(now) | exchange.isLendingAgain(now);
        if (!settings.orderedByKey() || !looked.equals(Instant.MIN) && now.isBefore(looked.plus(LOOK))) {
            return news;
        }
        looked = now;
        try {
            for (OwnedPartition owner : partitions.all()) {
                news |= askForKeys(owner);
            }
            // Only a full partition parks records, to make room for other keys.
            exchange.park(
                    book -> book.open() >= settings.maxRecords() && book.isStuckBehindStoredKeys()
                            ? book.claimBehindStoredKeys(PARKED_AT_ONCE)
                            : List.of(),
                    now);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "keys that wait in the store could not be read: " + e.getMessage());
        }
        return news;
    }

    private boolean wakeHeld(Instant now) {
        return partitions.locked(() -> {
            boolean any = false;
            for (OwnedPartition owner : partitions.all()) {
                any |= owner.book.wakeHeld(now);
            }
            return any;
        });
    }

    private boolean askForKeys(OwnedPartition owner) {
        record Question(Set<String> keys, long quietSince) {}
        Question question =
                partitions.locked(() -> new Question(owner.book.awaitedKeys(KEYS_AT_ONCE), owner.quietSince()));
        if (question.keys().isEmpty() || question.quietSince() < 0) {
            return false;
        }
        Set<String> finished = new HashSet<>(question.keys());
        finished.removeAll(adoptions.waiting(question.keys()));
        if (finished.isEmpty()) {
            return false;
        }
        partitions.run(() -> owner.storeFinished(finished, question.quietSince()));
        return true;
    }
}
