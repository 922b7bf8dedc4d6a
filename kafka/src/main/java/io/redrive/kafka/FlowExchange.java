package io.redrive.kafka;

import io.redrive.events.Adoption;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.Settlement;
import io.redrive.kafka.LentRecords.Lent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settles and claims on two sides: the books of the partitions, and the store with the events that wait long.
 *
 * <p>Done finishes the record in its book. A short wait holds the record in its book. Everything else goes to the store first and
 * is finished in the book afterwards, so that no failure is lost when the process ends in between. When a call of the store fails,
 * no settlement of a record has been applied, and the pipeline repeats the exchange.
 */
final class FlowExchange {

    private static final Logger LOG = System.getLogger(FlowExchange.class.getName());
    /** The store is asked for due events this often while records flow; without records at each exchange. */
    private static final Duration STORE_LOOK = Duration.ofMillis(200);

    private static final Duration STILL_HANDLED = Duration.ofMillis(100);
    private static final int PARKED_AT_ONCE = 200;

    private final EventStore store;
    private final OwnedPartitions partitions;
    private final RowBrake brake;
    private final AdoptedRecords adopted;
    private final SuspectTurns turns;
    private final Duration longestHold;
    private final Duration session;
    /** Claims of records that a failed exchange had settled already: the repeated settlement is not stale. */
    private final Set<Long> settledInFailed = new HashSet<>();
    /** Claims with an unanswered adoption. The store may have the events, so the repeated settlement goes to the store. */
    private final Set<Long> perhapsAdopted = new HashSet<>();

    private Instant nextStoreLook = Instant.MIN;
    private volatile Set<NamePattern> pausedNames = Set.of();

    FlowExchange(EventStore store, OwnedPartitions partitions, RowBrake brake, FlowSettings settings) {
        this.store = store;
        this.partitions = partitions;
        this.brake = brake;
        adopted = new AdoptedRecords(store, partitions, brake);
        turns = new SuspectTurns(partitions);
        longestHold = settings.longestHold();
        session = settings.session();
    }

    Exchange run(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        List<Settlement> ofRecords = new ArrayList<>();
        List<Settlement> ofStore = new ArrayList<>();
        settlements.forEach(each -> (OwnedPartitions.isOurs(each.claim().token()) ? ofRecords : ofStore).add(each));
        List<Claim> stale = new ArrayList<>(settle(ofRecords, now));
        List<Claim> claims = new ArrayList<>();
        boolean more = false;
        try {
            turns.settled(ofStore);
            List<ClaimRequest> asked = forStore(turns.forStore(requests, now), now);
            if (!ofStore.isEmpty() || !asked.isEmpty()) {
                Exchange answer = store.exchange(ofStore, asked, now);
                stale.addAll(answer.stale());
                claims.addAll(keptClaims(answer.claims(), asked, now));
                more = answer.more() || claims.stream().anyMatch(Claim::isSuspect);
            }
        } catch (RuntimeException | Error e) {
            // A stale settlement is stale again when it is repeated.
            remember(ofRecords.stream()
                    .filter(each -> !stale.contains(each.claim()))
                    .toList());
            throw e;
        }
        forget(ofRecords);
        claimRecords(requests, claims, now);
        return new Exchange(stale, claims, more);
    }

    /** Gives suspects back that would have lent records beside them. */
    private List<Claim> keptClaims(List<Claim> claims, List<ClaimRequest> asked, Instant now) {
        List<Settlement> back = new ArrayList<>();
        List<Claim> kept = new ArrayList<>();
        for (Claim claim : claims) {
            if (claim.isSuspect() && !turns.begin(claim, asked, now)) {
                back.add(new Settlement.Release(claim));
            } else {
                kept.add(claim);
            }
        }
        if (!back.isEmpty()) {
            try {
                store.exchange(back, List.of(), now);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "a suspect waits for the end of its lease: " + e.getMessage());
            }
        }
        return kept;
    }

    /** Returns true once when records may be lent again after a suspect's turn. */
    boolean isLendingAgain(Instant now) {
        return turns.isLendingAgain(now);
    }

    private synchronized void remember(List<Settlement> settled) {
        settled.forEach(each -> settledInFailed.add(each.claim().token()));
    }

    private synchronized void forget(List<Settlement> settled) {
        if (!settledInFailed.isEmpty()) {
            settled.forEach(each -> settledInFailed.remove(each.claim().token()));
        }
    }

    private synchronized void remember(Set<Long> tokens, List<Adoption> adoptions) {
        adoptions.forEach(each -> tokens.add(each.settlement().claim().token()));
    }

    private synchronized void forget(Set<Long> tokens, List<Adoption> adoptions) {
        adoptions.forEach(each -> tokens.remove(each.settlement().claim().token()));
    }

    private synchronized boolean wasPerhapsAdopted(Claim claim) {
        return perhapsAdopted.contains(claim.token());
    }

    private synchronized boolean wasSettled(Claim claim) {
        return settledInFailed.contains(claim.token());
    }

    /** Claims of a pipeline's handlers wait no time; other requests look for events that wait in the store too long. */
    private static boolean isForRecords(ClaimRequest request) {
        return request.filter().waited().isZero() && request.lane() != Lane.SUSPECT;
    }

    private synchronized List<ClaimRequest> forStore(List<ClaimRequest> requests, Instant now) {
        boolean flowing = partitions.locked(
                () -> partitions.all().stream().anyMatch(owner -> owner.book.open() > owner.book.heldRecords()));
        boolean looks = !flowing
                || !nextStoreLook.isAfter(now)
                || nextStoreLook.minus(STORE_LOOK).isAfter(now);
        if (looks && requests.stream().anyMatch(FlowExchange::isForRecords)) {
            nextStoreLook = now.plus(STORE_LOOK);
        }
        return requests.stream()
                .filter(request -> looks || !isForRecords(request))
                .toList();
    }

    // ---- settle

    private List<Claim> settle(List<Settlement> settlements, Instant now) {
        List<Claim> stale = new ArrayList<>();
        List<Settlement> inBooks = new ArrayList<>(settlements.size());
        Map<OwnedPartition, List<Adoption>> adoptions = sort(settlements, inBooks, stale, now);
        if (!adoptions.isEmpty()) {
            adoptions.values().forEach(list -> remember(perhapsAdopted, list));
            Set<OwnedPartition> fenced = adopted.adopt(adoptions, now);
            adoptions.forEach((owner, list) -> {
                forget(perhapsAdopted, list);
                if (fenced.contains(owner)) {
                    list.forEach(each -> stale.add(each.settlement().claim()));
                }
            });
        }
        partitions.run(() -> {
            for (Settlement settlement : inBooks) {
                if (!settleInBook(settlement)) {
                    stale.add(settlement.claim());
                }
            }
            partitions.returned();
            stale.forEach(partitions::orphanReturned);
        });
        return stale;
    }

    /**
     * Adds settlements of the books to {@code inBooks} and settlements that are stale already to {@code stale}, and returns those of
     * the store. Nearly all records are done: their settlements are looked up once, when they are applied.
     */
    private Map<OwnedPartition, List<Adoption>> sort(
            List<Settlement> settlements, List<Settlement> inBooks, List<Claim> stale, Instant now) {
        Map<OwnedPartition, List<Adoption>> adoptions = new LinkedHashMap<>();
        boolean mayRepeat = mayRepeat();
        Set<Long> seen = new HashSet<>();
        for (Settlement settlement : settlements) {
            Claim claim = settlement.claim();
            if (mayRepeat && wasSettled(claim)) {
                continue;
            }
            boolean unclear = mayRepeat && wasPerhapsAdopted(claim);
            if (settlement instanceof Settlement.Done && !unclear) {
                inBooks.add(settlement);
                continue;
            }
            Optional<Lent> lent = partitions.lent(claim);
            if (lent.isEmpty() || !seen.add(claim.token())) {
                stale.add(claim);
            } else if (!unclear && staysInBook(settlement, now)) {
                inBooks.add(settlement);
            } else {
                adoptions
                        .computeIfAbsent(lent.get().owner(), unused -> new ArrayList<>())
                        .add(adoptionOf(settlement, lent.get().record()));
            }
        }
        return adoptions;
    }

    /** Returns false when no exchange failed: then no settlement can be a repeated one. */
    private synchronized boolean mayRepeat() {
        return !settledInFailed.isEmpty() || !perhapsAdopted.isEmpty();
    }

    private boolean staysInBook(Settlement settlement, Instant now) {
        if (settlement instanceof Settlement.Done || settlement instanceof Settlement.Release) {
            return true;
        }
        if (settlement instanceof Settlement.Dead) {
            brake.count(1, now);
            return false;
        }
        boolean isLong =
                Duration.between(now, settlement.readyAgain().orElse(now)).compareTo(longestHold) > 0;
        boolean asked =
                !(settlement instanceof Settlement.Snooze snooze) || snooze.cause() == Settlement.Snooze.Cause.ASKED;
        boolean fits = settlement.claim().event().payloadSize() <= store.maxPayload();
        return !(isLong && asked && fits && brake.allow(1, now) == 1);
    }

    /** Returns false when the partition has left. */
    private boolean settleInBook(Settlement settlement) {
        @Nullable Lent lent = partitions.takeBack(settlement.claim());
        if (lent == null) {
            return false;
        }
        apply(settlement, lent.owner().book, lent.record());
        return true;
    }

    private static void apply(Settlement settlement, PartitionBook book, BookedRecord record) {
        if (settlement instanceof Settlement.Done) {
            book.finish(record);
        } else if (settlement instanceof Settlement.Release) {
            record.attempts(record.attempts().plusInterrupted());
            book.giveBack(record);
        } else {
            if (settlement instanceof Settlement.Retry retry) {
                record.failed(retry.attempt(), retry.delay());
            }
            book.hold(record, settlement.readyAgain().orElse(Instant.MIN));
        }
    }

    /** A payload above the store's limit is left out of the letter, which names the place of the record and has the mark. */
    private Adoption adoptionOf(Settlement settlement, BookedRecord record) {
        Event event = record.event();
        if (event.payloadSize() <= store.maxPayload() || !(settlement instanceof Settlement.Dead dead)) {
            return new Adoption(record.offset, settlement, record.history());
        }
        LOG.log(
                Level.WARNING,
                "payload of record " + event.headers().get(RecordEnvelope.PLACE) + " has " + event.payloadSize()
                        + " bytes, the store keeps at most " + store.maxPayload()
                        + "; its dead letter has no payload and can be redriven only after an edit");
        Claim claim = dead.claim();
        String otherMark = event.headers().containsKey(DeadLetter.REDACTED_HEADER) ? " headers" : "";
        Event cut = event.toBuilder()
                .payload(new byte[0], event.contentType())
                .header(DeadLetter.REDACTED_HEADER, "payload" + otherMark)
                .build();
        Claim small = new Claim(
                cut,
                claim.position(),
                claim.token(),
                claim.attempts(),
                claim.firstClaimed(),
                claim.lastDelay(),
                claim.redrives());
        return new Adoption(
                record.offset,
                new Settlement.Dead(
                        small, dead.reason(), dead.attempt(), dead.fingerprint(), dead.service(), dead.version()),
                record.history());
    }

    // ---- claim

    private void claimRecords(List<ClaimRequest> requests, List<Claim> claims, Instant now) {
        if (partitions.isSilent(now, session)) {
            return;
        }
        Map<Lane, ClaimRequest> lanes = new EnumMap<>(Lane.class);
        Map<Lane, Integer> demands = new EnumMap<>(Lane.class);
        requests.stream().filter(FlowExchange::isForRecords).forEach(request -> {
            lanes.putIfAbsent(request.lane(), request);
            demands.merge(request.lane(), request.demand(), Integer::sum);
        });
        claims.stream()
                .filter(claim -> !claim.isSuspect())
                .forEach(claim ->
                        demands.computeIfPresent(claim.event().priority().lane(), (lane, left) -> left - 1));
        partitions.nextTurn();
        lanes.forEach((lane, request) -> {
            pausedNames = request.filter().excluded();
            parkForStore(request.filter(), now);
            claimRecords(request, demands.getOrDefault(lane, 0), claims, now);
        });
    }

    /** Returns the patterns that the last claim excluded. */
    Set<NamePattern> pausedNames() {
        return pausedNames;
    }

    /** Stores records that did not fail, as far as the brake allows. */
    void park(AdoptedRecords.Choice choice, Instant now) {
        partitions.nextTurn();
        adopted.park(choice, now);
    }

    /** A failing store must not fail the exchange, because claims of a failed exchange reach no handler. */
    private void parkForStore(ClaimFilter filter, Instant now) {
        try {
            adopted.park(book -> book.claimForStore(filter, PARKED_AT_ONCE), now);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "records without a handler could not be stored, and wait: " + e.getMessage());
        }
    }

    /** A lane may have several requests, so the demand is that of the lane. A short answer would count as an empty lane. */
    private void claimRecords(ClaimRequest request, int wanted, List<Claim> claims, Instant now) {
        Lane lane = request.lane();
        ClaimFilter filter = request.filter();
        partitions.run(() -> {
            if (!turns.mayLend(now)) {
                return;
            }
            int demand = Math.max(0, wanted);
            long bytes = claims.stream()
                    .mapToLong(claim -> claim.event().payloadSize())
                    .sum();
            for (OwnedPartition owner : partitions.inTurn()) {
                owner.book.wakeHeld(now);
                for (BookedRecord record : owner.book.claim(lane, filter, demand, ClaimRequest.MAX_BYTES - bytes)) {
                    if (partitions.isHandledStill(owner, record)) {
                        owner.book.hold(record, now.plus(STILL_HANDLED));
                        continue;
                    }
                    demand--;
                    bytes += record.size();
                    claims.add(partitions.lend(owner, record, now));
                }
            }
        });
    }
}
