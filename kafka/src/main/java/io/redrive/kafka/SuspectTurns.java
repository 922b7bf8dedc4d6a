package io.redrive.kafka;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives a suspect of the store a turn in which no record is lent. The store convicts a suspect when the suspect's process ends and had
 * no other claim. The store knows nothing of lent records: a record that ends the process would convict the suspect beside it.
 *
 * <p>A suspect that arrives while records are lent goes back to the store. From then on the flow lends no record, until the lent
 * records have ended and the suspect was claimed again, or for {@link #LONGEST} at most: a stuck handler must not stop the flow. After
 * such a failure suspects wait for {@link #PAUSE}, or until no record is lent by chance. Thread-safe; where both locks are needed, the
 * lock of the books comes first.
 */
final class SuspectTurns {

    /** How long the flow lends no record for the sake of a suspect. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final OwnedPartitions partitions;
    /** The request that found a suspect while records were lent. */
    private Optional<ClaimRequest> refused = Optional.empty();
    /** The token of the suspect whose turn it is. */
    private Optional<Long> suspect = Optional.empty();

    private Instant until = Instant.MIN;
    private Instant noDrainBefore = Instant.MIN;
    private boolean isLendingRefused;

    SuspectTurns(OwnedPartitions partitions) {
        this.partitions = partitions;
    }

    /** Leaves suspects out while lent records shall end first, and asks for the refused suspect when they have ended. */
    List<ClaimRequest> forStore(List<ClaimRequest> requests, Instant now) {
        return forStore(requests, partitions.isLent(), now);
    }

    private synchronized List<ClaimRequest> forStore(List<ClaimRequest> requests, boolean isLent, Instant now) {
        boolean drains = drains(now);
        if (isLent && (drains || now.isBefore(noDrainBefore))) {
            return requests.stream().filter(each -> each.lane() != Lane.SUSPECT).toList();
        }
        // A pipeline that stops asks for nothing, and must not get a suspect.
        if (drains && !requests.isEmpty() && requests.stream().noneMatch(each -> each.lane() == Lane.SUSPECT)) {
            List<ClaimRequest> more = new ArrayList<>(requests);
            refused.ifPresent(each -> more.add(at(each, now)));
            return more;
        }
        return requests;
    }

    private static ClaimRequest at(ClaimRequest request, Instant now) {
        return new ClaimRequest(
                request.node(),
                request.lane(),
                request.demand(),
                request.lowestFirst(),
                request.lease(),
                now,
                request.filter());
    }

    private boolean drains(Instant now) {
        if (refused.isPresent() && !now.isBefore(until)) {
            refused = Optional.empty();
            noDrainBefore = now.plus(PAUSE);
        }
        return refused.isPresent();
    }

    /** Begins the turn of a claimed suspect if no record is lent. Otherwise returns false: the suspect must go back. */
    boolean begin(Claim claimed, List<ClaimRequest> requests, Instant now) {
        return partitions.locked(() -> begin(claimed, requests, partitions.isLent(), now));
    }

    private synchronized boolean begin(Claim claimed, List<ClaimRequest> requests, boolean isLent, Instant now) {
        until = now.plus(LONGEST);
        refused = requests.stream()
                .filter(each -> isLent && each.lane() == Lane.SUSPECT)
                .findFirst();
        suspect = isLent ? Optional.empty() : Optional.of(claimed.token());
        return !isLent;
    }

    /** Ends the turn of a suspect that is settled. */
    synchronized void settled(List<Settlement> settlements) {
        if (suspect.isPresent()
                && settlements.stream()
                        .anyMatch(each -> suspect.get().equals(each.claim().token()))) {
            suspect = Optional.empty();
        }
    }

    /** Returns true when records may be lent. Called with the lock of the books. */
    synchronized boolean mayLend(Instant now) {
        boolean may = !drains(now) && (suspect.isEmpty() || !now.isBefore(until));
        isLendingRefused |= !may;
        return may;
    }

    /** Returns true once after lending was refused: the pipeline took lanes with ready records for empty. */
    synchronized boolean isLendingAgain(Instant now) {
        boolean again = isLendingRefused && !drains(now);
        isLendingRefused &= !again;
        return again;
    }
}
