package io.redrive.pipeline;

import io.redrive.core.Backoff;
import io.redrive.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Pauses an event name that dead-letters nearly everything, so that a broken downstream does not empty good data into the
 * dead-letter queue. Paused events are put off, no attempt spent; now and then one passes as a probe, and when it is
 * handled well the name goes on. Used by the coordinator alone.
 */
final class NamePauses {

    /** Judged from so many ended events of a name on. */
    static final int WINDOW = 20;
    /** Paused when so large a share of them died. */
    static final double DEAD_SHARE = 0.9;

    private static final Backoff PAUSES = Backoff.exponential(Duration.ofSeconds(30), Duration.ofMinutes(10));
    /** Names watched at most; beyond, the ones seen first are watched. */
    private static final int MAX_NAMES = 10_000;

    private final Map<String, Health> byName = new HashMap<>();
    private final Listeners listeners;

    private static final class Health {
        private int ended;
        private int dead;
        private int pauses;
        private Instant until;
        private boolean probing;
    }

    NamePauses(Listeners listeners) {
        this.listeners = listeners;
    }

    /** How long an event of this name has to wait; empty when it may be handled. */
    Optional<Duration> waitFor(String name, Instant now) {
        Health health = byName.get(name);
        if (health == null || health.until == null) {
            return Optional.empty();
        }
        if (now.isBefore(health.until)) {
            return Optional.of(Duration.between(now, health.until));
        }
        if (!health.probing) {
            health.probing = true;
            return Optional.empty();
        }
        // The probe is under way; the others look again a little later.
        return Optional.of(Duration.ofSeconds(1));
    }

    void done(Event event, Instant now) {
        Health health = healthOf(event.name());
        if (health == null) {
            return;
        }
        if (health.until != null) {
            byName.remove(event.name());
            tell(event.name(), null, now);
            return;
        }
        count(health, false);
    }

    /** The probe ended without a verdict (retried, snoozed): another may go. */
    void undecided(Event event) {
        Health health = byName.get(event.name());
        if (health != null) {
            health.probing = false;
        }
    }

    void dead(Event event, Instant now) {
        Health health = healthOf(event.name());
        if (health == null) {
            return;
        }
        if (health.until != null) {
            if (health.probing) {
                pauseAgain(event.name(), health, now);
            }
            return;
        }
        count(health, true);
        if (health.ended >= WINDOW && health.dead >= DEAD_SHARE * health.ended) {
            pauseAgain(event.name(), health, now);
        }
    }

    private void pauseAgain(String name, Health health, Instant now) {
        health.pauses++;
        health.until = now.plus(PAUSES.delay(health.pauses));
        health.probing = false;
        tell(name, health.until, now);
    }

    private Health healthOf(String name) {
        Health health = byName.get(name);
        if (health == null && byName.size() < MAX_NAMES) {
            health = new Health();
            byName.put(name, health);
        }
        return health;
    }

    /** Halving both counts at the end of a window keeps a fading memory in two numbers. */
    private static void count(Health health, boolean died) {
        health.ended++;
        health.dead += died ? 1 : 0;
        if (health.ended >= 2 * WINDOW) {
            health.ended /= 2;
            health.dead /= 2;
        }
    }

    private void tell(String name, Instant until, Instant now) {
        PipelineListener.Paused event = new PipelineListener.Paused(name, until, now);
        listeners.tell(listener -> listener.onPaused(event));
    }
}
