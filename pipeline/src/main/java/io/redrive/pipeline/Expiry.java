package io.redrive.pipeline;

import io.redrive.events.EventStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Removes idempotency keys, sightings of causes and left-over samples past their retention. */
final class Expiry implements Chore {

    /** A pipeline that starts has more urgent work: on new connections, the first removal takes tens of milliseconds. */
    static final Duration FIRST_AFTER = Duration.ofSeconds(5);

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration CAUSES_EVERY = Duration.ofHours(1);
    /** Handled events of a journal that was switched off; longer than most retentions, because another node may keep its journal. */
    private static final Duration SAMPLES_KEPT_WITHOUT_JOURNAL = Duration.ofDays(7);

    private final EventStore store;
    private final Duration poll;
    /** Null before the first step. */
    private @Nullable Instant next;

    private Instant nextOfCauses = Instant.MIN;

    Expiry(EventStore store, Duration poll) {
        this.store = store;
        this.poll = poll;
    }

    @Override
    public boolean work(Instant now) {
        if (next == null) {
            next = now.plus(FIRST_AFTER);
        } else if (Chore.isDue(next, now, EVERY)) {
            expire(now);
        }
        return false;
    }

    private void expire(Instant now) {
        // Removes few keys at once; while expired keys are left, the next call comes soon.
        next = store.expire(now) > 0 ? now.plus(poll) : now.plus(EVERY);
        if (Chore.isDue(nextOfCauses, now, CAUSES_EVERY)) {
            nextOfCauses = now.plus(CAUSES_EVERY);
            store.deadLetters().causes().expire(now);
            expireSamples(now);
        }
    }

    /** With a journal, the writer of samples removes old ones by the retention of the journal. */
    private void expireSamples(Instant now) {
        if (store.journal().retention().isZero()
                && store.samples().expire(now.minus(SAMPLES_KEPT_WITHOUT_JOURNAL)) > 0) {
            nextOfCauses = now.plus(EVERY);
        }
    }
}
