package io.redrive.pipeline;

import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveProgress;
import io.redrive.events.RedriveRequest;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Brings dead letters back with care: at a limited rate, or as a canary that sends 1, then 10, then 100, then the rest,
 * waits after each stage until its events have ended, and halts when a cause that was to be fixed returns.
 *
 * <pre>{@code
 * Redriver.State end = Redriver.of(store.deadLetters())
 *         .filter(LetterFilter.ALL.withName("order.*"))
 *         .operator("ann")
 *         .canary()
 *         .perSecond(50)
 *         .build()
 *         .run(Time.system());
 * }</pre>
 *
 * <p>The events are handled by pipelines on the same store, in this process or in others; this class only looks at the
 * store. Only letters that were dead when it began are brought back, so that one that dies again does not go round. It
 * can be broken off and begun anew at any time: what was brought back is no letter any more. Not thread-safe.
 */
public final class Redriver {

    /** Letters that each stage of a canary but the last sends. */
    public static final List<Integer> CANARY_STAGES = List.of(1, 10, 100);
    /** How long a stage of a canary may take to end, by default. */
    public static final Duration STAGE_LIMIT = Duration.ofMinutes(10);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration NAP = Duration.ofMillis(200);
    /** A rate is kept in portions of this length, so that it is steady and not a burst each second. */
    private static final int PORTIONS_PER_SECOND = 10;

    private final DeadLetters letters;
    private final LetterFilter filter;
    private final OperatorCommand command;
    private final double perSecond;
    private final Duration stageLimit;
    private final List<Integer> stages;
    private final long limit;
    private final CanaryGuard guard;
    private LetterFilter chosen;
    private Set<String> causes;
    private long total;
    private long redriven;
    private int stage;
    private long leftInStage;
    private boolean sent;
    private Instant stageEnd;
    private Instant nextSend = Instant.MIN;
    private Instant nextLook = Instant.MIN;
    private State end;
    private volatile boolean stopping;

    private Redriver(Builder builder) {
        letters = builder.letters;
        filter = builder.filter;
        command = new OperatorCommand(builder.batch, builder.operator, builder.origin, filter.describe());
        perSecond = builder.perSecond;
        stageLimit = builder.stageLimit;
        limit = builder.limit;
        stages = builder.canary ? CANARY_STAGES : List.of();
        guard = builder.canary && builder.notes != null
                ? new CanaryGuard.InNotes(builder.notes, command)
                : CanaryGuard.NONE;
    }

    /** Where a redrive stands. */
    public sealed interface State {

        /** How many letters were brought back so far. */
        long redriven();

        /** Letters were brought back just now, of {@code total} in all; there is more to do at once. */
        record Working(long redriven, long total) implements State {}

        /** Nothing to do before {@code until}: the rate allows no more, or events of a canary have not ended. */
        record Waiting(Instant until, long redriven, long total) implements State {}

        /** Stopped before the end: {@code why}, and the causes that returned, if it is because of those. */
        record Halted(String why, Set<String> fingerprints, long redriven) implements State {}

        /** Ended by {@link #stop}, with {@code total} letters chosen; the rest are letters as before. */
        record Stopped(long redriven, long total) implements State {}

        /** Not begun: {@code why}. */
        record Refused(String why) implements State {
            @Override
            public long redriven() {
                return 0;
            }
        }

        /** All that could be was brought back. */
        record Finished(long redriven) implements State {}
    }

    /** Starts a redrive of all letters, as fast as the store can. Knows nothing of canaries beside it. */
    public static Builder of(DeadLetters letters) {
        return new Builder(letters, null);
    }

    /** Starts a redrive of all letters, as fast as the store can. A canary is refused beside another of the same cause. */
    public static Builder of(EventStore store) {
        return new Builder(store.deadLetters(), store.notes());
    }

    /** Asks {@link #run} to end soon; what was brought back stays so. May be called from any thread. */
    public void stop() {
        stopping = true;
    }

    /** The name under which {@link DeadLetters#progress} knows what this brings back. */
    public String batch() {
        return command.id();
    }

    /** Does what there is to do now, and tells how it stands. After the end it tells the end again. */
    public State step(Instant now) {
        if (end != null) {
            return end;
        }
        if (chosen == null) {
            begin(now);
            Optional<String> other = guard.claim(causes, now);
            if (other.isPresent()) {
                end = new State.Refused(other.get());
                return end;
            }
            record("running", now);
        }
        guard.refresh(now);
        if (stopping) {
            return stop(now);
        }
        if (redriven > 0 && !stages.isEmpty()) {
            State waiting = look(now);
            if (waiting != null) {
                return waiting;
            }
        }
        return sent ? finish(now) : send(now);
    }

    /** Steps until the end, waiting on this thread. When interrupted it stops; what was brought back stays so. */
    public State run(Time time) throws InterruptedException {
        return run(time, state -> {});
    }

    /** {@link #run(Time)} that tells {@code progress} each state on the way. */
    public State run(Time time, Consumer<State> progress) throws InterruptedException {
        try {
            while (true) {
                State state = step(time.now());
                progress.accept(state);
                if (end != null) {
                    return end;
                }
                if (state instanceof State.Waiting waiting) {
                    Duration wait = Duration.between(time.now(), waiting.until());
                    // Short, so that a stop is heard and a canary beside this one sees that it is alive.
                    time.sleep(wait.isNegative() ? Duration.ZERO : wait.compareTo(NAP) < 0 ? wait : NAP);
                }
            }
        } catch (InterruptedException e) {
            stop(time.now());
            throw e;
        }
    }

    private State stop(Instant now) {
        return end(new State.Stopped(redriven, total), "stopped", now);
    }

    private void begin(Instant now) {
        // The first moment after now, as stores count moments: what dies from then on is not chosen.
        Instant before = now.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS);
        Instant until = filter.until().filter(given -> given.isBefore(before)).orElse(before);
        chosen = filter.withTime(filter.since().orElse(null), until);
        total = Math.min(letters.count(chosen), limit);
        causes = new HashSet<>();
        if (!stages.isEmpty()) {
            letters.groups(chosen, DeadLetters.MAX_PAGE).stream()
                    .map(LetterGroup::fingerprint)
                    .forEach(causes::add);
        }
        sent = total == 0;
        leftInStage = lettersOf(stage);
    }

    private long lettersOf(int number) {
        return number < stages.size() ? stages.get(number) : Long.MAX_VALUE;
    }

    /** What a canary has to wait for or to stop at; null when it may send. */
    private State look(Instant now) {
        boolean last = stage >= stages.size();
        if (!last && leftInStage > 0 && !sent) {
            return null;
        }
        if (!Chore.isDue(nextLook, now, LOOK_EVERY)) {
            // The last stage goes on between two looks; the others have nothing to do.
            return last ? null : new State.Waiting(nextLook, redriven, total);
        }
        nextLook = now.plus(LOOK_EVERY);
        RedriveProgress progress = letters.progress(command.id());
        State halted = judged(progress, now);
        if (halted != null || last) {
            return halted;
        }
        if (progress.pending() == 0) {
            stage++;
            leftInStage = lettersOf(stage);
            return null;
        }
        return now.isBefore(stageEnd)
                ? new State.Waiting(nextLook, redriven, total)
                : halt(
                        progress.pending() + " events have not ended within " + DurationText.format(stageLimit),
                        Set.of(),
                        now);
    }

    /** Halted when a known cause is back, or when most died again of whatever cause: a fix that broke something else. */
    private State judged(RedriveProgress progress, Instant now) {
        Set<String> back = new HashSet<>(progress.fingerprints());
        back.retainAll(causes);
        if (!back.isEmpty()) {
            return halt("the same cause returned", back, now);
        }
        return progress.deadAgain() * 2 > redriven
                ? halt("most died again, of another cause", progress.fingerprints(), now)
                : null;
    }

    private State send(Instant now) {
        int portion = RedriveRequest.MAX_LIMIT;
        if (perSecond > 0) {
            portion = (int) Math.max(1, Math.min(portion, perSecond / PORTIONS_PER_SECOND));
            if (!Chore.isDue(nextSend, now, timeFor(portion))) {
                return new State.Waiting(nextSend, redriven, total);
            }
        }
        int limit = (int) Math.min(portion, Math.min(leftInStage, total - redriven));
        int count = letters.redrive(new RedriveRequest(chosen, limit, command, false, now));
        redriven += count;
        leftInStage -= count;
        nextSend = now.plus(timeFor(count));
        stageEnd = now.plus(stageLimit);
        // Fewer than asked for: somebody else redrove or purged the others.
        sent = count < limit || redriven >= total;
        // A canary of few letters ends within a counted stage: only the fate of those letters tells whether the fix
        // holds.
        boolean watched = redriven > 0 && stage < stages.size();
        return sent && !watched ? finish(now) : new State.Working(redriven, total);
    }

    private Duration timeFor(int count) {
        return perSecond > 0 ? Duration.ofNanos((long) (count * 1e9 / perSecond)) : Duration.ZERO;
    }

    private State finish(Instant now) {
        return end(new State.Finished(redriven), "finished", now);
    }

    private State halt(String why, Set<String> fingerprints, Instant now) {
        String causes = fingerprints.isEmpty() ? "" : " " + fingerprints;
        return end(new State.Halted(why, Set.copyOf(fingerprints), redriven), "halted: " + why + causes, now);
    }

    private State end(State state, String how, Instant now) {
        end = state;
        guard.release();
        record(how, now);
        return end;
    }

    /** One row for the whole redrive: begun here, grown by the store with each call, ended here. */
    private void record(String how, Instant now) {
        String kind = stages.isEmpty() ? "" : "canary ";
        letters.record(command, "redrive", kind + how + ", " + redriven + " of " + total, now);
    }

    /** Builds a {@link Redriver}. Not thread-safe. */
    public static final class Builder {
        private final DeadLetters letters;
        /** Null when only the letters are known. */
        private final SharedNotes notes;

        private LetterFilter filter = LetterFilter.ALL;
        private String operator = "unknown";
        private String origin = "";
        private String batch = "redrive-" + UUID.randomUUID();
        private double perSecond;
        private long limit = Long.MAX_VALUE;
        private boolean canary;
        private Duration stageLimit = STAGE_LIMIT;

        private Builder(DeadLetters letters, SharedNotes notes) {
            this.letters = Objects.requireNonNull(letters, "letters");
            this.notes = notes;
        }

        /** Which letters; all unless given. */
        public Builder filter(LetterFilter value) {
            filter = Objects.requireNonNull(value, "filter");
            return this;
        }

        /** Who asks for it, for the record of actions. */
        public Builder operator(String value) {
            operator = Objects.requireNonNull(value, "operator");
            return this;
        }

        /** From where it is asked for, for the record of actions: a program and its host, for example. */
        public Builder origin(String value) {
            origin = Objects.requireNonNull(value, "origin");
            return this;
        }

        /** A name of your own for what is brought back together; must not have been used before. */
        public Builder batch(String value) {
            batch = Objects.requireNonNull(value, "batch");
            return this;
        }

        /** No more than this many letters in a second; may be less than one. */
        public Builder perSecond(double value) {
            if (!(value >= 0.001 && value <= 1_000_000)) {
                throw new IllegalArgumentException("perSecond must be between 0.001 and 1000000, got " + value);
            }
            perSecond = value;
            return this;
        }

        /** No more than this many letters in all, the oldest first; no limit unless given. */
        public Builder limit(long value) {
            if (value < 1) {
                throw new IllegalArgumentException("limit must be at least 1, got " + value);
            }
            limit = value;
            return this;
        }

        /** First 1, then 10, then 100, then the rest, as long as no cause returns. */
        public Builder canary() {
            canary = true;
            return this;
        }

        /** How long the events of a canary's stage may take to end before it halts. */
        public Builder stageLimit(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("stageLimit must be longer than zero, got " + value);
            }
            stageLimit = value;
            return this;
        }

        /** The redrive, not yet begun. */
        public Redriver build() {
            return new Redriver(this);
        }
    }
}
