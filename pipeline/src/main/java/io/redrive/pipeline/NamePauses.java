package io.redrive.pipeline;

import io.redrive.core.Backoff;
import io.redrive.events.Claim;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Pauses an event name that dead-letters nearly everything, so that a broken downstream does not empty good data into the
 * dead-letter queue. Paused events are put off, no attempt spent; when the pause is over one passes as a probe: handled
 * well, the name goes on; failed, the pause begins again and takes longer. Used by the coordinator alone.
 *
 * <p>A pause holds for all nodes of the store: it is a note with its end. Who wants to send the probe first moves that end
 * a little further by compare-and-set; whoever succeeds probes, and the others find the name paused a little longer. If
 * that node dies, the little while passes and another may try.
 */
final class NamePauses implements Sharing.Topic {

    /** Judged from so many ended events of a name on. */
    static final int WINDOW = 20;
    /** Paused when so large a share of them died. */
    static final double DEAD_SHARE = 0.9;

    /** For events that wait for the right to probe, or for the probe that is under way. */
    private static final Duration PROBE_WAIT = Duration.ofSeconds(1);
    /** How long the others leave a probe to the node that has the right to it; no longer than the shortest pause. */
    private static final Duration PROBE_TIME = Duration.ofSeconds(30);

    private static final Backoff PAUSES = Backoff.exponential(Duration.ofSeconds(30), Duration.ofMinutes(10));
    /** Names watched at most; beyond, the ones seen first are watched. */
    private static final int MAX_NAMES = 10_000;

    private static final String TOPIC = "pause";

    private final Map<String, Health> byName = new HashMap<>();
    private final Consumer<PipelineListener.Paused> announce;

    /** What other nodes have to hear about a name. */
    private enum News {
        NONE,
        PAUSED,
        RESUMED,
        WANTS_TO_PROBE
    }

    private static final class Health {
        private int ended;
        private int dead;
        private int pauses;
        private Instant until;
        private boolean mayProbe;
        /** The position of the event that is the probe; null when none is under way. */
        private Long probe;

        private News news = News.NONE;

        private boolean isProbing() {
            return mayProbe || probe != null;
        }

        private boolean isProbe(Claim claim) {
            return probe != null && probe == claim.position();
        }

        private void clear() {
            ended = 0;
            dead = 0;
            pauses = 0;
            until = null;
            endProbe();
        }

        private void endProbe() {
            mayProbe = false;
            probe = null;
        }
    }

    NamePauses(Consumer<PipelineListener.Paused> announce) {
        this.announce = announce;
    }

    /** How long this event has to wait; empty when it may be handled. */
    Optional<Duration> waitFor(Claim claim, Instant now) {
        Health health = byName.get(claim.event().name());
        if (health == null || health.until == null) {
            return Optional.empty();
        }
        if (isOn(health.until, health.pauses, now)) {
            return Optional.of(Duration.between(now, health.until));
        }
        if (health.mayProbe) {
            health.mayProbe = false;
            health.probe = claim.position();
        }
        if (health.isProbe(claim)) {
            return Optional.empty();
        }
        if (health.probe == null) {
            health.news = News.WANTS_TO_PROBE;
        }
        return Optional.of(PROBE_WAIT);
    }

    /** A pause that is longer than it can be was set by a clock that went back since: then a probe will tell. */
    private static boolean isOn(Instant until, int pauses, Instant now) {
        return now.isBefore(until) && Duration.between(now, until).compareTo(PAUSES.delay(pauses)) <= 0;
    }

    /** Any success ends a pause, also that of an event that was on its way when the pause began. */
    void done(Claim claim, Instant now) {
        String name = claim.event().name();
        Health health = healthOf(name);
        if (health == null) {
            return;
        }
        if (health.until != null) {
            health.clear();
            health.news = News.RESUMED;
            tell(name, null, now);
            return;
        }
        count(health, false);
    }

    /**
     * A probe that fails prolongs the pause, even though its event has attempts left: else each event in turn would be a
     * probe and spend an attempt.
     */
    void retried(Claim claim, Instant now) {
        Health health = byName.get(claim.event().name());
        if (health != null && health.isProbe(claim)) {
            pauseAgain(claim.event().name(), health, now);
        }
    }

    /** An event came back without a verdict (snoozed, released, or settled too late); if it was the probe, another may go. */
    void undecided(Claim claim) {
        Health health = byName.get(claim.event().name());
        if (health != null && health.isProbe(claim)) {
            health.probe = null;
            health.mayProbe = true;
        }
    }

    void dead(Claim claim, Instant now) {
        String name = claim.event().name();
        Health health = healthOf(name);
        if (health == null) {
            return;
        }
        if (health.until != null) {
            retried(claim, now);
            return;
        }
        count(health, true);
        if (health.ended >= WINDOW && health.dead >= DEAD_SHARE * health.ended) {
            pauseAgain(name, health, now);
        }
    }

    private void pauseAgain(String name, Health health, Instant now) {
        health.pauses++;
        health.until = now.plus(PAUSES.delay(health.pauses));
        health.endProbe();
        health.news = News.PAUSED;
        tell(name, health.until, now);
    }

    @Override
    public String topic() {
        return TOPIC;
    }

    @Override
    public boolean hasNews() {
        return byName.values().stream().anyMatch(health -> health.news != News.NONE);
    }

    @Override
    public void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        found.forEach((name, note) -> {
            Health health = healthOf(name);
            if (health != null && health.news == News.NONE && !health.isProbing()) {
                adopt(name, health, SharedPause.of(note), now);
            }
        });
        byName.forEach((name, health) -> {
            Note note = found.get(name);
            if (health.news != News.NONE) {
                publish(name, health, note, notes, now);
            } else if (note == null && health.until != null) {
                health.clear();
                tell(name, null, now);
            }
        });
    }

    private void adopt(String name, Health health, SharedPause shared, Instant now) {
        if (!shared.until().equals(health.until)) {
            health.until = shared.until();
            health.pauses = shared.pauses();
            tell(name, health.until, now);
        }
    }

    /** Somebody else was faster when a write fails; what they wrote is taken over the next time. */
    private void publish(String name, Health health, Note note, SharedNotes notes, Instant now) {
        News news = health.news;
        if (news == News.PAUSED) {
            notes.write(new SharedPause(health.until, health.pauses).over(name, note));
        } else if (news == News.RESUMED && note != null) {
            notes.erase(note);
        } else if (news == News.WANTS_TO_PROBE && note != null) {
            SharedPause shared = SharedPause.of(note);
            if (isOn(shared.until(), shared.pauses(), now)) {
                adopt(name, health, shared, now);
            } else {
                SharedPause probing = new SharedPause(now.plus(PROBE_TIME), shared.pauses());
                health.mayProbe = notes.write(probing.over(name, note));
            }
        }
        health.news = News.NONE;
    }

    /** A pause as a note says it. */
    private record SharedPause(Instant until, int pauses) {
        static SharedPause of(Note note) {
            String[] parts = note.value().split(" ", 2);
            return new SharedPause(Instant.parse(parts[0]), Integer.parseInt(parts[1]));
        }

        Note over(String name, Note note) {
            String value = until + " " + pauses;
            return note == null ? Note.first(TOPIC, name, value) : note.with(value);
        }
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
        announce.accept(new PipelineListener.Paused(name, until, now));
    }
}
