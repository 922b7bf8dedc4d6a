package io.redrive.bench;

import io.redrive.events.EventStore;
import java.util.List;
import java.util.function.Function;

/** The rates of a store with a part that operators need, divided by the rates without that part, measured in turns. */
final class RateRatio {

    private final Function<Boolean, EventStore> stores;
    private double bulkWith;
    private double bulkWithout;
    private double drainWith;
    private double drainWithout;

    /** Opens stores by {@code stores}, with the part or without. */
    RateRatio(Function<Boolean, EventStore> stores) {
        this.stores = stores;
    }

    /** Returns the lower of the two ratios: of {@code publish-bulk} and of {@code drain}. */
    double ratio(int rounds, int events) throws Exception {
        bulk(false, events / 4);
        bulk(true, events / 4);
        for (int round = 0; round < rounds; round++) {
            bulkWithout = Math.max(bulkWithout, bulk(false, events));
            bulkWith = Math.max(bulkWith, bulk(true, events));
            drainWithout = Math.max(drainWithout, drain(false, events));
            drainWith = Math.max(drainWith, drain(true, events));
        }
        return Math.min(bulkRatio(), drainRatio());
    }

    double bulkRatio() {
        return bulkWith / bulkWithout;
    }

    double drainRatio() {
        return drainWith / drainWithout;
    }

    private double bulk(boolean part, int events) throws Exception {
        try (EventStore store = stores.apply(part)) {
            return new EventLoad(store).eventsPerSecond(events, 1, EventLoad.BULK);
        }
    }

    private double drain(boolean part, int events) throws Exception {
        try (EventStore store = stores.apply(part)) {
            return EventLoad.drainPerSecond(List.of(store), events);
        }
    }
}
