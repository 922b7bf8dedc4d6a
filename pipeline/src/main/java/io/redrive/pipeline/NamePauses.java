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
 * dead-letter queue. Paused events are put off, no attempt spent; when the pause is over one passes as a probe: handled
 * well, the name goes on; failed, the pause begins again and takes longer. Used by the coordinator alone.
 */
final class NamePauses {

    /** Judged from so many ended events of a name on. */
    static final int WINDOW = 20;
    /** Paused when so large a share of them died. */
    static final double DEAD_SHARE = 0.9;

    /** While the probe is under way the others look again a little later. */
    private static final Duration PROBE_WAIT = Duration.ofSeconds(1);

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
        private Event probe;
    }

    NamePauses(Listeners listeners) {
        this.listeners = listeners;
    }

    /** How long this event has to wait; empty when it may be handled. */
    Optional<Duration> waitFor(Event event, Instant now) {
        Health health = byName.get(event.name());
        if (health == null || health.until == null) {
            return Optional.empty();
        }
        Duration left = Duration.between(now, health.until);
        // Longer than the whole pause when the clock was set back: then nobody knows, and a probe will tell.
        if (now.isBefore(health.until) && left.compareTo(PAUSES.delay(health.pauses)) <= 0) {
            return Optional.of(left);
        }
        if (health.probe == null) {
            health.probe = event;
        }
        return health.probe == event ? Optional.empty() : Optional.of(PROBE_WAIT);
    }

    /** Any success ends a pause, also that of an event that was on its way when the pause began. */
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

    /**
     * A probe that fails prolongs the pause, even though its event has attempts left: else each event in turn would be a
     * probe and spend an attempt.
     */
    void retried(Event event, Instant now) {
        Health health = byName.get(event.name());
        if (health != null && health.probe == event) {
            pauseAgain(event.name(), health, now);
        }
    }

    /** An event came back without a verdict (snoozed, or settled too late); if it was the probe, another may go. */
    void undecided(Event event) {
        Health health = byName.get(event.name());
        if (health != null && health.probe == event) {
            health.probe = null;
        }
    }

    void dead(Event event, Instant now) {
        Health health = healthOf(event.name());
        if (health == null) {
            return;
        }
        if (health.until != null) {
            retried(event, now);
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
        health.probe = null;
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
