package io.redrive.testkit;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Lists the effects on a store: accepted events, and settlements that were not stale. A {@link FaultyStore} goes around
 * the ledger, which therefore sees the effect of a call whose caller got a fault. {@link #carriedOverTo} keeps the
 * effects of before a crash. For one thread.
 */
final class StoreLedger extends ForwardingStore {

    private final List<String> lines;

    StoreLedger(EventStore store) {
        this(store, new ArrayList<>());
    }

    private StoreLedger(EventStore store, List<String> lines) {
        super(store);
        this.lines = lines;
    }

    /** This ledger, continued on a store reopened after a crash. */
    StoreLedger carriedOverTo(EventStore reopened) {
        return new StoreLedger(reopened, lines);
    }

    /** All effects in order, such as {@code done order-1}. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        List<PublishResult> results = super.publish(events, now);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) == PublishResult.ACCEPTED) {
                lines.add("accepted " + events.get(i).id());
            }
        }
        return results;
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        Exchange exchange = super.exchange(settlements, requests, now);
        Set<Claim> unsettled = new HashSet<>(exchange.stale());
        for (Settlement settlement : settlements) {
            if (!unsettled.contains(settlement.claim())) {
                String kind = settlement.getClass().getSimpleName().toLowerCase(Locale.ROOT);
                lines.add(kind + " " + settlement.claim().event().id());
            }
        }
        return exchange;
    }
}
