package io.redrive.pipeline;

import io.redrive.events.EventStore;
import java.time.Duration;
import java.time.Instant;

/**
 * What has to be done now and then, besides the events themselves: extend leases, take over what crashed workers left,
 * forget old keys. A lease is extended three times before it would run out.
 */
final class Heartbeat {

    private static final int BEATS_PER_LEASE = 3;
    private static final Duration RECOVERY_AT_MOST_EVERY = Duration.ofSeconds(5);
    private static final Duration EXPIRY_EVERY = Duration.ofMinutes(1);

    private final EventStore store;
    private final Profile profile;
    private final InFlight inFlight;
    private final Hold hold;
    private final Listeners listeners;
    private final Duration recoveryEvery;
    private Instant nextBeat = Instant.MIN;
    private Instant nextRecovery = Instant.MIN;
    private Instant nextExpiry = Instant.MIN;

    Heartbeat(EventStore store, Profile profile, InFlight inFlight, Hold hold, Listeners listeners) {
        this.store = store;
        this.profile = profile;
        this.inFlight = inFlight;
        this.hold = hold;
        this.listeners = listeners;
        Duration beat = profile.lease().dividedBy(BEATS_PER_LEASE);
        recoveryEvery = beat.compareTo(RECOVERY_AT_MOST_EVERY) < 0 ? beat : RECOVERY_AT_MOST_EVERY;
    }

    /** True when something became ready. */
    boolean beat(Instant now) {
        if (Chore.isDue(nextBeat, now, profile.lease())) {
            hold.extend(() -> {
                if (!inFlight.isEmpty()) {
                    store.extend(inFlight.tokens(), profile.lease(), now);
                }
            });
            nextBeat = now.plus(profile.lease().dividedBy(BEATS_PER_LEASE));
        }
        if (Chore.isDue(nextExpiry, now, EXPIRY_EVERY)) {
            // One small step; as long as there is more to forget, the next comes soon.
            nextExpiry = store.expire(now) > 0 ? now.plus(profile.poll()) : now.plus(EXPIRY_EVERY);
        }
        if (!Chore.isDue(nextRecovery, now, recoveryEvery)) {
            return false;
        }
        int recovered = store.recover(now);
        nextRecovery = now.plus(recoveryEvery);
        if (recovered > 0) {
            PipelineListener.Recovered event = new PipelineListener.Recovered(recovered, now);
            listeners.tell(listener -> listener.onRecovered(event));
        }
        return recovered > 0;
    }

    Instant next() {
        return nextBeat.isBefore(nextRecovery) ? nextBeat : nextRecovery;
    }
}
