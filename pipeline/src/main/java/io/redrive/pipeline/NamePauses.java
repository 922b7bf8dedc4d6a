package io.redrive.pipeline;

import io.redrive.core.Backoff;
import io.redrive.events.Claim;
import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pauses an event name when nearly all its events become dead letters, so that a broken downstream does not turn good
 * data into dead letters. Events of a paused name are kept out of the claim; events that were claimed before are put off and
 * spend no attempt. When the pause is over, one event
 * passes as a probe: a handled probe ends the pause; a failed probe begins a longer pause. Used by the coordinator
 * alone.
 *
 * <p>A pause holds for all nodes of the store: it is a shared note with the end of the pause. A node that wants to
 * probe first moves that end by {@link #PROBE_TIME}, by compare-and-set. The node that succeeds probes, and the other
 * nodes find the name paused a little longer. If the probing node dies, that time passes and another node may probe.
 */
final class NamePauses implements Sharing.Topic {

    /** The least number of ended events to judge a name by. */
    static final int WINDOW = 20;
    /** The share of dead events that pauses a name. */
    static final double DEAD_SHARE = 0.9;

    /** How long events wait while the node asks for the right to probe, or while the probe is under way. */
    private static final Duration PROBE_WAIT = Duration.ofSeconds(1);
    /** How long other nodes leave the probe to the node that has the right to it; no longer than the shortest pause. */
    private static final Duration PROBE_TIME = Duration.ofSeconds(30);

    private static final Backoff PAUSES = Backoff.exponential(Duration.ofSeconds(30), Duration.ofMinutes(10));
    /** The most names to watch; later names are never paused. */
    private static final int MAX_NAMES = 10_000;

    /** The most names to keep out of the claim, which compares each event with them; events of further names are put off. */
    private static final int MAX_EXCLUDED = 200;

    static final String TOPIC = "pause";

    private final Map<String, Health> byName = new HashMap<>();
    /** The part of {@link #byName} that is paused, for a quick answer at each step. */
    private final Map<String, Health> paused = new HashMap<>();

    private final Consumer<PipelineListener.Paused> announce;

    /** The change of a name that has to go into the shared notes. */
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
        /** When the first of the pauses in a row began; null when the name is not paused. */
        private @Nullable Instant since;
        /** The end of the pause; null when the name is not paused. */
        private @Nullable Instant until;

        private boolean mayProbe;
        /** The position of the probe; null when no probe is under way. */
        private @Nullable Long probe;

        private News news = News.NONE;

        private boolean isProbing() {
            return mayProbe || probe != null;
        }

        /** Returns true when a claim of another event would only be put off. */
        private boolean isBarred(Instant now) {
            return until != null
                    && (isOn(until, pauses, now) || news == News.WANTS_TO_PROBE || !mayProbe && probe != null);
        }

        private boolean isProbe(Claim claim) {
            return probe != null && probe == claim.position();
        }

        private void clear() {
            ended = 0;
            dead = 0;
            pauses = 0;
            since = null;
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

    /** Returns how long this event has to wait; empty when the event may be handled. */
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

    /**
     * Returns the names to keep out of the claim: during a pause, while this node asks for the right to probe, and while the probe
     * is under way. In between, the name is claimed for an event that asks for the right, and for the probe.
     */
    Set<NamePattern> excluded(Instant now) {
        return paused.isEmpty()
                ? Set.of()
                : paused.entrySet().stream()
                        .filter(entry -> entry.getValue().isBarred(now))
                        .map(Map.Entry::getKey)
                        .sorted()
                        .limit(MAX_EXCLUDED)
                        .map(NamePattern::new)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * A pause that ends later than the longest possible pause was set before the clock went back: a probe will tell.
     */
    private static boolean isOn(Instant until, int pauses, Instant now) {
        return now.isBefore(until) && Duration.between(now, until).compareTo(PAUSES.delay(pauses)) <= 0;
    }

    /** An event was handled. This ends a pause, also when the event was claimed before the pause began. */
    void done(Claim claim, Instant now) {
        String name = claim.event().name();
        Health health = healthOf(name);
        if (health == null) {
            return;
        }
        if (health.until != null) {
            resumed(name, health, now);
            health.news = News.RESUMED;
            return;
        }
        count(health, false);
    }

    /**
     * An event failed and will be retried. A failed probe prolongs the pause, even when the event has attempts left:
     * otherwise each event in turn would be a probe and spend an attempt.
     */
    void retried(Claim claim, Instant now) {
        Health health = byName.get(claim.event().name());
        if (health != null && health.isProbe(claim)) {
            pauseAgain(claim.event().name(), health, now);
        }
    }

    /**
     * An event was snoozed, released, settled too late, or expired before its handler began. If the event was the
     * probe, another event may probe.
     */
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
        health.since = health.since == null ? now : health.since;
        health.until = now.plus(PAUSES.delay(health.pauses));
        health.endProbe();
        health.news = News.PAUSED;
        paused.put(name, health);
        tell(name, health.until, now);
    }

    private void resumed(String name, Health health, Instant now) {
        health.clear();
        paused.remove(name);
        tell(name, null, now);
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
                resumed(name, health, now);
            }
        });
    }

    private void adopt(String name, Health health, SharedPause shared, Instant now) {
        if (!shared.until().equals(health.until)) {
            health.until = shared.until();
            health.since = shared.since();
            health.pauses = shared.pauses();
            paused.put(name, health);
            tell(name, health.until, now);
        }
    }

    /**
     * Writes the change of a name. When another node wrote first, the write fails, and the next sync adopts that note.
     */
    private void publish(String name, Health health, @Nullable Note note, SharedNotes notes, Instant now) {
        News news = health.news;
        Instant until = health.until;
        Instant since = health.since;
        if (news == News.PAUSED && until != null && since != null) {
            notes.write(new SharedPause(until, health.pauses, since).over(name, note));
        } else if (news == News.RESUMED && note != null) {
            notes.erase(note);
        } else if (news == News.WANTS_TO_PROBE && note != null) {
            SharedPause shared = SharedPause.of(note);
            if (isOn(shared.until(), shared.pauses(), now)) {
                adopt(name, health, shared, now);
            } else {
                SharedPause probing = new SharedPause(now.plus(PROBE_TIME), shared.pauses(), shared.since());
                health.mayProbe = notes.write(probing.over(name, note));
            }
        }
        health.news = News.NONE;
    }

    /** Returns the pause in a note of this topic. */
    static NamePause.ByPipeline in(Note note) {
        SharedPause shared = SharedPause.of(note);
        return new NamePause.ByPipeline(note.name(), shared.since(), shared.until());
    }

    /** A pause in the text of a note. */
    private record SharedPause(Instant until, int pauses, Instant since) {
        static SharedPause of(Note note) {
            String[] parts = note.value().split(" ", 3);
            Instant until = Instant.parse(parts[0]);
            int pauses = Integer.parseInt(parts[1]);
            // Notes of earlier versions have no begin: theirs is the begin of the last pause.
            Instant since = parts.length == 3 ? Instant.parse(parts[2]) : until.minus(PAUSES.delay(pauses));
            return new SharedPause(until, pauses, since);
        }

        Note over(String name, @Nullable Note note) {
            String value = until + " " + pauses + " " + since;
            return note == null ? Note.first(TOPIC, name, value) : note.with(value);
        }
    }

    /** Returns the health of a name; null when too many names are watched. */
    private @Nullable Health healthOf(String name) {
        Health health = byName.get(name);
        if (health == null && byName.size() < MAX_NAMES) {
            health = new Health();
            byName.put(name, health);
        }
        return health;
    }

    /** Counts an ended event. Halving both counts at the end of a window makes old events count less and less. */
    private static void count(Health health, boolean died) {
        health.ended++;
        health.dead += died ? 1 : 0;
        if (health.ended >= 2 * WINDOW) {
            health.ended /= 2;
            health.dead /= 2;
        }
    }

    private void tell(String name, @Nullable Instant until, Instant now) {
        announce.accept(new PipelineListener.Paused(name, until, now));
    }
}
