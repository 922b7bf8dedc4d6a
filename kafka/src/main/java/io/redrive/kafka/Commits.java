package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Adoptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Commits the progress of partitions after {@link #INTERVAL} or {@link #RECORDS} finished records, but not sooner than {@link
 * #LEAST_INTERVAL} after the commit before, and one commit at a time. Progress counts
 * as committed when the broker has acknowledged it: a commit during a rebalance fails and is repeated with newer progress. Settled
 * places below an acknowledged commit are pruned after minutes. Used by the thread of the intake alone.
 */
final class Commits {

    static final Duration INTERVAL = Duration.ofMillis(100);
    static final int RECORDS = 500;
    /** A quick partition finishes 500 records in a millisecond; so many commits would take the processor from the handlers. */
    static final Duration LEAST_INTERVAL = Duration.ofMillis(10);

    private static final Logger LOG = System.getLogger(Commits.class.getName());
    private static final Duration GIVE_UP = Duration.ofSeconds(30);
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final Adoptions adoptions;
    private final OwnedPartitions partitions;
    private final Time time;
    private @Nullable Instant underWaySince;
    /** Time of the oldest commit since the last acknowledged commit. */
    private @Nullable Instant unacknowledgedSince;

    private Instant last = Instant.MIN;
    private Instant pruned = Instant.MIN;

    Commits(Adoptions adoptions, OwnedPartitions partitions, Time time) {
        this.adoptions = adoptions;
        this.partitions = partitions;
        this.time = time;
    }

    void commitIfDue(Consumer<byte[], byte[]> consumer) {
        Instant now = time.now();
        pruneIfDue(now);
        if (last.equals(Instant.MIN)) {
            last = now.minus(INTERVAL);
        }
        boolean late = now.isBefore(last) || !now.isBefore(last.plus(INTERVAL));
        boolean many = !now.isBefore(last.plus(LEAST_INTERVAL))
                && partitions.locked(() -> partitions.all().stream().anyMatch(owner -> isHurried(owner.book)));
        boolean free = underWaySince == null || now.isAfter(underWaySince.plus(GIVE_UP));
        if (!free || !late && !many) {
            return;
        }
        last = now;
        Map<OwnedPartition, Progress> changed = changed(consumer);
        if (changed.isEmpty()) {
            unacknowledgedSince = null;
            return;
        }
        if (unacknowledgedSince == null) {
            unacknowledgedSince = now;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        changed.forEach((owner, progress) ->
                offsets.put(owner.partition, new OffsetAndMetadata(progress.watermark(), progress.metadata())));
        underWaySince = now;
        consumer.commitAsync(offsets, (committed, error) -> {
            underWaySince = null;
            if (error == null) {
                unacknowledgedSince = null;
                partitions.run(() -> changed.forEach(OwnedPartition::committed));
            } else {
                LOG.log(Level.DEBUG, "commit of " + committed.keySet() + " failed and is repeated: " + error);
            }
        });
    }

    /**
     * Returns the time until which the group has heard of this process for sure. A coordinator that cannot be reached may have given
     * the partitions away, although their leaders still answer polls.
     */
    Instant heardAt(Instant now) {
        return unacknowledgedSince == null ? now : unacknowledgedSince;
    }

    /** The coordinator has answered. */
    void answered() {
        unacknowledgedSince = null;
    }

    private static boolean isHurried(PartitionBook book) {
        return book.finishedSinceCommit() >= RECORDS || book.announcements().areAsked();
    }

    private Map<OwnedPartition, Progress> changed(Consumer<byte[], byte[]> consumer) {
        Map<OwnedPartition, Progress> changed = new HashMap<>();
        for (OwnedPartition owner : partitions.all()) {
            if (consumer.assignment().contains(owner.partition)) {
                partitions.run(() -> {
                    owner.book.commitBegun();
                    Progress progress = owner.book.progress();
                    // Records that were announced, given back and asked for again wait for an acknowledgement of the
                    // same progress.
                    if (!progress.equals(owner.committed())
                            || owner.book.announcements().areAsked()) {
                        changed.put(owner, progress);
                    }
                });
            }
        }
        return changed;
    }

    private void pruneIfDue(Instant now) {
        if (!pruned.equals(Instant.MIN) && now.isBefore(pruned.plus(PRUNE_EVERY)) && !now.isBefore(pruned)) {
            return;
        }
        pruned = now;
        for (OwnedPartition owner : partitions.all()) {
            try {
                adoptions.prune(owner.bookmark, owner.committed().watermark(), KEPT, now);
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, "settled places of " + owner.partition + " were not pruned", e);
            }
        }
    }
}
