package io.redrive.kafka;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.BookmarkedAdoptions;
import io.redrive.events.Claim;
import io.redrive.events.EventStore;
import io.redrive.events.Settlement;
import io.redrive.kafka.LentRecords.Lent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Moves records into the store: adopts their events, and finishes the records in their books afterwards, so that no failure is lost
 * when the process ends in between. Thread-safe.
 */
final class AdoptedRecords {

    private static final Logger LOG = System.getLogger(AdoptedRecords.class.getName());

    private final EventStore store;
    private final OwnedPartitions partitions;
    private final RowBrake brake;

    AdoptedRecords(EventStore store, OwnedPartitions partitions, RowBrake brake) {
        this.store = store;
        this.partitions = partitions;
        this.brake = brake;
    }

    /**
     * Stores events of all partitions in one transaction and finishes their records: each transaction waits for the disk. Returns the
     * partitions that another process owns.
     */
    Set<OwnedPartition> adopt(Map<OwnedPartition, List<Adoption>> adoptions, Instant now) {
        List<OwnedPartition> owners = List.copyOf(adoptions.keySet());
        partitions.run(() -> adoptions.forEach(AdoptedRecords::begin));
        Set<OwnedPartition> fenced = new HashSet<>();
        try {
            List<AdoptionResult> results = store.adoptions()
                    .adoptAll(
                            owners.stream()
                                    .map(owner -> new BookmarkedAdoptions(
                                            owner.bookmark, Objects.requireNonNull(adoptions.get(owner))))
                                    .toList(),
                            now);
            for (int i = 0; i < owners.size(); i++) {
                if (results.get(i) instanceof AdoptionResult.Fenced by) {
                    dropFenced(owners.get(i), by);
                    fenced.add(owners.get(i));
                }
            }
        } finally {
            partitions.run(() -> owners.forEach(OwnedPartition::adoptionEnds));
        }
        partitions.run(() -> {
            adoptions.forEach((owner, list) -> {
                if (!fenced.contains(owner)) {
                    list.forEach(each -> finish(each.settlement().claim()));
                }
            });
            partitions.returned();
        });
        return fenced;
    }

    private static void begin(OwnedPartition owner, List<Adoption> adoptions) {
        owner.adoptionBegins();
        // Before the rows exist: from then on no later record of these keys may begin.
        adoptions.stream()
                .filter(each -> !(each.settlement() instanceof Settlement.Dead))
                .forEach(each -> each.settlement().claim().event().orderingKey().ifPresent(owner.book::storeHas));
    }

    private void dropFenced(OwnedPartition owner, AdoptionResult.Fenced by) {
        LOG.log(
                Level.WARNING,
                "partition " + owner.partition + " belongs to another process by now (epoch " + by.epoch() + ", own "
                        + owner.bookmark.epoch() + "); dropped its records");
        partitions.remove(owner.partition);
    }

    private void finish(Claim claim) {
        @Nullable Lent lent = partitions.takeBack(claim);
        if (lent != null) {
            lent.owner().book.finish(lent.record());
        }
    }

    /** Chooses records of a book. */
    interface Choice {
        List<BookedRecord> from(PartitionBook book);
    }

    /** Stores records that did not fail, as far as the brake allows; the rest is given back. */
    void park(Choice choice, Instant now) {
        for (OwnedPartition owner : partitions.inTurn()) {
            List<Adoption> parked = partitions.locked(() -> chosen(owner, choice, now));
            if (!parked.isEmpty()) {
                boolean stored = false;
                try {
                    stored = adopt(Map.of(owner, parked), now).isEmpty();
                } finally {
                    if (!stored) {
                        giveBack(parked);
                    }
                }
            }
        }
    }

    private List<Adoption> chosen(OwnedPartition owner, Choice choice, Instant now) {
        List<BookedRecord> records = choice.from(owner.book);
        Predicate<BookedRecord> fits = record -> record.size() <= store.maxPayload();
        int allowed = brake.allow((int) records.stream().filter(fits).count(), now);
        List<Adoption> adoptions = new ArrayList<>();
        for (BookedRecord record : records) {
            if (fits.test(record) && adoptions.size() < allowed) {
                Claim claim = partitions.lend(owner, record, now);
                adoptions.add(new Adoption(record.offset, new Settlement.Snooze(claim, now), record.history()));
            } else {
                if (!fits.test(record)) {
                    owner.book.acquit(record);
                }
                owner.book.giveBack(record);
            }
        }
        return adoptions;
    }

    private void giveBack(List<Adoption> adoptions) {
        partitions.run(() -> adoptions.forEach(each -> {
            @Nullable Lent lent = partitions.takeBack(each.settlement().claim());
            if (lent != null) {
                lent.owner().book.giveBack(lent.record());
            }
        }));
        partitions.run(partitions::returned);
    }
}
