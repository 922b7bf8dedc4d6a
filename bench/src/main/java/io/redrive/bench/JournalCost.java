package io.redrive.bench;

import io.redrive.events.EventStore;
import java.util.List;
import java.util.function.Function;

/** The rates of a store with its journal divided by the rates without, measured in turns. */
final class JournalCost {

    private final Function<Boolean, EventStore> stores;
    private double bulkWith;
    private double bulkWithout;
    private double drainWith;
    private double drainWithout;

    /** Opens stores by {@code stores}, with a journal or without. */
    JournalCost(Function<Boolean, EventStore> stores) {
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

    private double bulk(boolean journal, int events) throws Exception {
        try (EventStore store = stores.apply(journal)) {
            return new EventLoad(store).eventsPerSecond(events, 1, EventLoad.BULK);
        }
    }

    private double drain(boolean journal, int events) throws Exception {
        try (EventStore store = stores.apply(journal)) {
            return EventLoad.drainPerSecond(List.of(store), events);
        }
    }
}
