package io.redrive.pipeline;

import io.redrive.events.EventStore;
import java.time.Duration;
import java.time.Instant;

/** Recovers events whose leases ran out, and removes idempotency keys, sightings of causes and left-over samples past their retention. */
final class Housekeeping {

    private static final int RECOVERIES_PER_LEASE = 3;
    private static final Duration RECOVERY_AT_MOST_EVERY = Duration.ofSeconds(5);
    private static final Duration EXPIRY_EVERY = Duration.ofMinutes(1);
    private static final Duration CAUSE_EXPIRY_EVERY = Duration.ofHours(1);
    /** Handled events of a journal that was switched off; longer than most retentions, because another node may keep its journal. */
    private static final Duration SAMPLES_KEPT_WITHOUT_JOURNAL = Duration.ofDays(7);

    private final EventStore store;
    private final Profile profile;
    private final Members members;
    private final Listeners listeners;
    private final Duration recoveryEvery;
    private Instant nextRecovery = Instant.MIN;
    private Instant nextExpiry = Instant.MIN;
    private Instant nextCauseExpiry = Instant.MIN;

    Housekeeping(EventStore store, Profile profile, Members members, Listeners listeners) {
        this.store = store;
        this.profile = profile;
        this.members = members;
        this.listeners = listeners;
        Duration share = profile.lease().dividedBy(RECOVERIES_PER_LEASE);
        recoveryEvery = share.compareTo(RECOVERY_AT_MOST_EVERY) < 0 ? share : RECOVERY_AT_MOST_EVERY;
    }

    private void expire(Instant now) {
        // Removes few keys at once; while expired keys are left, the next call comes soon.
        nextExpiry = store.expire(now) > 0 ? now.plus(profile.poll()) : now.plus(EXPIRY_EVERY);
        if (Chore.isDue(nextCauseExpiry, now, CAUSE_EXPIRY_EVERY)) {
            nextCauseExpiry = now.plus(CAUSE_EXPIRY_EVERY);
            store.deadLetters().causes().expire(now);
            expireSamples(now);
        }
    }

    /** With a journal, the writer of samples removes old ones by the retention of the journal. */
    private void expireSamples(Instant now) {
        if (store.journal().retention().isZero()
                && store.samples().expire(now.minus(SAMPLES_KEPT_WITHOUT_JOURNAL)) > 0) {
            nextCauseExpiry = now.plus(EXPIRY_EVERY);
        }
    }

    /** Does the work that is due. Returns true when events became ready. */
    boolean runIfDue(Instant now) {
        if (Chore.isDue(nextExpiry, now, EXPIRY_EVERY)) {
            expire(now);
        }
        if (!Chore.isDue(nextRecovery, now, recoveryEvery)) {
            return false;
        }
        int recovered = store.recover(now, members.holders(store.notes().read()));
        nextRecovery = now.plus(recoveryEvery);
        if (recovered > 0) {
            PipelineListener.Recovered event = new PipelineListener.Recovered(recovered, now);
            listeners.tell(listener -> listener.onRecovered(event));
        }
        return recovered > 0;
    }

    Instant next() {
        return nextRecovery;
    }
}
