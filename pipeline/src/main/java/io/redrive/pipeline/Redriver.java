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
import org.jspecify.annotations.Nullable;

/**
 * Redrives dead letters carefully: at a limited rate, or as a canary that sends 1, then 10, then 100, then all other
 * letters, waits after each stage until its events have ended, and halts when a cause that should be fixed returns.
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
 * <p>Pipelines on the same store handle the events, in this process or in others; this class only uses the store. Only
 * letters that were dead at the begin are redriven, so that an event that dies again is not redriven twice. A redrive
 * can be stopped and started again at any time: a redriven event is no letter any more. Not thread-safe, except {@link
 * #stop}.
 */
public final class Redriver {

    /** The number of letters in each stage of a canary but the last. */
    public static final List<Integer> CANARY_STAGES = List.of(1, 10, 100);
    /** The default time limit of a canary's stage. */
    public static final Duration STAGE_LIMIT = Duration.ofMinutes(10);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration NAP = Duration.ofMillis(200);

    private final DeadLetters letters;
    private final LetterFilter filter;
    private final OperatorCommand command;
    private final RedriveRate rate;
    private final Duration stageLimit;
    private final RedriveStages stages;
    private final long limit;
    private final CanaryGuard guard;
    private final Set<String> causes = new HashSet<>();
    /** The letters that were dead at the begin; null before the begin. */
    private @Nullable LetterFilter chosen;

    private long total;
    private long redriven;
    private boolean sent;
    private Instant stageEnd = Instant.MAX;
    private Instant nextLook = Instant.MIN;
    /** Null before the end. */
    private @Nullable State end;

    private volatile boolean stopping;

    private Redriver(Builder builder) {
        letters = builder.letters;
        filter = builder.filter;
        command = new OperatorCommand(builder.batch, builder.operator, builder.origin, filter.describe());
        rate = new RedriveRate(builder.perSecond);
        stageLimit = builder.stageLimit;
        limit = builder.limit;
        stages = new RedriveStages(builder.canary ? CANARY_STAGES : List.of());
        guard = builder.canary && builder.notes != null
                ? new CanaryGuard.InNotes(builder.notes, command)
                : CanaryGuard.NONE;
    }

    /** The state of a redrive. */
    public sealed interface State {

        /** Returns the number of letters redriven so far. */
        long redriven();

        /** Letters were redriven just now, of {@code total} in all; the next step can follow at once. */
        record Working(long redriven, long total) implements State {}

        /**
         * The next step has nothing to do before {@code until}: the rate allows no more, or events of a canary have not
         * ended.
         */
        record Waiting(Instant until, long redriven, long total) implements State {}

        /** The redrive halted: {@code why}, with the fingerprints of returned causes where these are the reason. */
        record Halted(String why, Set<String> fingerprints, long redriven) implements State {}

        /** The redrive was stopped by {@link #stop}. Letters that were not redriven, of {@code total}, stay letters. */
        record Stopped(long redriven, long total) implements State {}

        /** The redrive did not begin: {@code why}. */
        record Refused(String why) implements State {
            @Override
            public long redriven() {
                return 0;
            }
        }

        /** All chosen letters were redriven, or have been removed by another operator. */
        record Finished(long redriven) implements State {}
    }

    /** Returns a builder for a redrive of all letters, as fast as the store can. Does not notice other canaries. */
    public static Builder of(DeadLetters letters) {
        return new Builder(letters, null);
    }

    /**
     * Returns a builder for a redrive of all letters, as fast as the store can. A canary is refused while another
     * canary of the same cause runs.
     */
    public static Builder of(EventStore store) {
        return new Builder(store.deadLetters(), store.notes());
    }

    /** Asks {@link #run} to end soon. Redriven events stay redriven. May be called from any thread. */
    public void stop() {
        stopping = true;
    }

    /** Returns the name under which {@link DeadLetters#progress} knows this redrive. */
    public String batch() {
        return command.id();
    }

    /** Sends the letters that are due and returns the state. After the end, returns the end state again. */
    public State step(Instant now) {
        if (end != null) {
            return end;
        }
        LetterFilter all = chosen;
        if (all == null) {
            all = begin(now);
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
        if (redriven > 0 && stages.isCanary()) {
            Optional<State> waiting = look(now);
            if (waiting.isPresent()) {
                return waiting.get();
            }
        }
        return sent ? finish(now) : send(all, now);
    }

    /** Steps until the end, waiting on this thread. An interrupt stops the redrive; redriven events stay redriven. */
    public State run(Time time) throws InterruptedException {
        return run(time, state -> {});
    }

    /** {@link #run(Time)} that passes each state to {@code progress}. */
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
                    // Short, so that a stop takes effect soon and the note of a canary is refreshed in time.
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

    private LetterFilter begin(Instant now) {
        // The first microsecond after now, the precision of stores: letters that die from then on are not chosen.
        Instant before = now.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS);
        Instant until = filter.until().filter(given -> given.isBefore(before)).orElse(before);
        LetterFilter all = filter.withTime(filter.since().orElse(null), until);
        chosen = all;
        total = Math.min(letters.count(all), limit);
        if (stages.isCanary()) {
            letters.groups(all, DeadLetters.MAX_PAGE).stream()
                    .map(LetterGroup::fingerprint)
                    .forEach(causes::add);
        }
        sent = total == 0;
        return all;
    }

    /** Returns the state in which a canary waits or halts; empty when the canary may send. */
    private Optional<State> look(Instant now) {
        boolean last = stages.isLast();
        if (!last && stages.left() > 0 && !sent) {
            return Optional.empty();
        }
        if (!Chore.isDue(nextLook, now, LOOK_EVERY)) {
            // The last stage sends on between two looks; an earlier stage only waits.
            return last ? Optional.empty() : Optional.of(new State.Waiting(nextLook, redriven, total));
        }
        nextLook = now.plus(LOOK_EVERY);
        RedriveProgress progress = letters.progress(command.id());
        Optional<State> halted = judged(progress, now);
        if (halted.isPresent() || last) {
            return halted;
        }
        if (progress.pending() == 0) {
            stages.next();
            return Optional.empty();
        }
        return Optional.of(
                now.isBefore(stageEnd)
                        ? new State.Waiting(nextLook, redriven, total)
                        : halt(
                                progress.pending() + " events have not ended within " + DurationText.format(stageLimit),
                                Set.of(),
                                now));
    }

    /**
     * Returns a halt when a known cause is back, or when most events died again of another cause: a fix that broke
     * another part. Returns empty when the canary may go on.
     */
    private Optional<State> judged(RedriveProgress progress, Instant now) {
        Set<String> back = new HashSet<>(progress.fingerprints());
        back.retainAll(causes);
        if (!back.isEmpty()) {
            return Optional.of(halt("the same cause returned", back, now));
        }
        return progress.deadAgain() * 2 > redriven
                ? Optional.of(halt("most died again, of another cause", progress.fingerprints(), now))
                : Optional.empty();
    }

    private State send(LetterFilter chosen, Instant now) {
        if (!rate.allows(now)) {
            return new State.Waiting(rate.nextSend(), redriven, total);
        }
        int most = (int) Math.min(rate.portion(), Math.min(stages.left(), total - redriven));
        int count = letters.redrive(new RedriveRequest(chosen, most, command, false, now));
        redriven += count;
        stages.sent(count);
        rate.sent(count, now);
        stageEnd = now.plus(stageLimit);
        // Fewer letters than asked for: another operator redrove or purged letters.
        sent = count < most || redriven >= total;
        // A canary of few letters ends within a counted stage: only the end of these events shows whether the fix
        // works.
        boolean watched = redriven > 0 && !stages.isLast();
        return sent && !watched ? finish(now) : new State.Working(redriven, total);
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

    /** Writes the one record of this redrive: begun here, counted up by the store with each call, ended here. */
    private void record(String how, Instant now) {
        String kind = stages.isCanary() ? "canary " : "";
        letters.record(command, "redrive", kind + how + ", " + redriven + " of " + total, now);
    }

    /** Builds a {@link Redriver}. Not thread-safe. */
    public static final class Builder {
        private final DeadLetters letters;
        /** Null when only the letters are known. */
        private final @Nullable SharedNotes notes;

        private LetterFilter filter = LetterFilter.ALL;
        private String operator = "unknown";
        private String origin = "";
        private String batch = "redrive-" + UUID.randomUUID();
        private double perSecond;
        private long limit = Long.MAX_VALUE;
        private boolean canary;
        private Duration stageLimit = STAGE_LIMIT;

        private Builder(DeadLetters letters, @Nullable SharedNotes notes) {
            this.letters = Objects.requireNonNull(letters, "letters");
            this.notes = notes;
        }

        /** Chooses the letters. Default: all letters. */
        public Builder filter(LetterFilter value) {
            filter = Objects.requireNonNull(value, "filter");
            return this;
        }

        /** Names the operator in the record of actions. Default {@code unknown}. */
        public Builder operator(String value) {
            operator = Objects.requireNonNull(value, "operator");
            return this;
        }

        /** Names the origin in the record of actions, such as a program and its host. Default: empty. */
        public Builder origin(String value) {
            origin = Objects.requireNonNull(value, "origin");
            return this;
        }

        /** Names the batch of redriven events, in place of a random name. The name must not have been used before. */
        public Builder batch(String value) {
            batch = Objects.requireNonNull(value, "batch");
            return this;
        }

        /**
         * Limits the rate, in letters per second; may be less than one. Default: no limit.
         *
         * @throws IllegalArgumentException when the rate is not between 0.001 and 1,000,000
         */
        public Builder perSecond(double value) {
            if (!(value >= 0.001 && value <= 1_000_000)) {
                throw new IllegalArgumentException("perSecond must be between 0.001 and 1000000, got " + value);
            }
            perSecond = value;
            return this;
        }

        /**
         * Limits the number of letters, oldest first. Default: no limit.
         *
         * @throws IllegalArgumentException when the limit is below 1
         */
        public Builder limit(long value) {
            if (value < 1) {
                throw new IllegalArgumentException("limit must be at least 1, got " + value);
            }
            limit = value;
            return this;
        }

        /** Sends 1 letter, then 10, then 100, then all others; halts when a cause returns. Default: all at once. */
        public Builder canary() {
            canary = true;
            return this;
        }

        /**
         * Limits how long the events of a canary's stage may take to end, in place of {@link #STAGE_LIMIT}; the canary
         * halts then.
         *
         * @throws IllegalArgumentException when the limit is not longer than zero
         */
        public Builder stageLimit(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("stageLimit must be longer than zero, got " + value);
            }
            stageLimit = value;
            return this;
        }

        /** Builds the redrive, which begins with its first step. */
        public Redriver build() {
            return new Redriver(this);
        }
    }
}
