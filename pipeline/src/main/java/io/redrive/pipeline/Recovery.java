package io.redrive.pipeline;

import io.redrive.events.EventStore;
import java.time.Duration;
import java.time.Instant;

/** Recovers events whose leases ran out, for example after their process died. */
final class Recovery {

    private static final int RECOVERIES_PER_LEASE = 3;
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(5);

    private final EventStore store;
    private final Members members;
    private final Listeners listeners;
    private final Duration every;
    private Instant next = Instant.MIN;

    Recovery(EventStore store, Profile profile, Members members, Listeners listeners) {
        this.store = store;
        this.members = members;
        this.listeners = listeners;
        Duration share = profile.lease().dividedBy(RECOVERIES_PER_LEASE);
        every = share.compareTo(AT_MOST_EVERY) < 0 ? share : AT_MOST_EVERY;
    }

    /** Recovers events if it is time. Returns true when events became ready. */
    boolean runIfDue(Instant now) {
        if (!Chore.isDue(next, now, every)) {
            return false;
        }
        int recovered = store.recover(now, members.holders(store.notes().read()));
        next = now.plus(every);
        if (recovered > 0) {
            PipelineListener.Recovered event = new PipelineListener.Recovered(recovered, now);
            listeners.tell(listener -> listener.onRecovered(event));
        }
        return recovered > 0;
    }

    Instant next() {
        return next;
    }
}
