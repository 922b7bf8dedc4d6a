package io.redrive.items.store;

import io.redrive.core.Reason;
import io.redrive.items.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A sample as a store keeps it: enough to go on where it stands.
 *
 * @param ordinal its place in the source, from 0: its identity within the run
 * @param id what people call it
 * @param state where it stands
 * @param stage the index of the stage it is at
 * @param progress how far it got at that stage
 * @param payload what the stage before made; null when the sample has succeeded or was skipped, or could not be read, or
 *     when {@code payloadKept}
 * @param payloadKept true in a commit when the store has the payload already and is to keep it; never in what a store
 *     returns
 * @param claimed true when the process that writes this record keeps working on it
 * @param death why it is dead; null unless it is
 */
public record SampleRecord(
        long ordinal,
        String id,
        SampleState state,
        int stage,
        Progress progress,
        byte[] payload,
        boolean payloadKept,
        boolean claimed,
        Death death) {

    /** Refuses a dead sample without a reason. */
    public SampleRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(progress, "progress");
        if ((state == SampleState.DEAD) != (death != null)) {
            throw new IllegalArgumentException("sample " + ordinal + " must have a death exactly when it is dead");
        }
    }

    /**
     * How far a sample got at its stage.
     *
     * @param failed attempts that failed at this stage
     * @param sequence lines in the audit trail so far, of all stages
     * @param firstAttempt when the first attempt at this stage began; null before
     * @param lastDelay the wait before the next attempt; zero before the first
     * @param due not to be tried before; null when at once
     * @param crashed processes that died while the sample was marked as begun
     * @param begun true in a commit when the process is about to begin the sample, and wants it counted should the process
     *     die; never in what a store returns
     */
    public record Progress(
            int failed,
            int sequence,
            Instant firstAttempt,
            Duration lastDelay,
            Instant due,
            int crashed,
            boolean begun) {
        /** Nothing tried yet. */
        public static final Progress NONE = new Progress(0, 0, null, Duration.ZERO, null);

        /** Of a sample that was in no process that died. */
        public Progress(int failed, int sequence, Instant firstAttempt, Duration lastDelay, Instant due) {
            this(failed, sequence, firstAttempt, lastDelay, due, 0, false);
        }

        /** The same with another count of processes that died, and not marked as begun. */
        Progress withCrashed(int processes) {
            return new Progress(failed, sequence, firstAttempt, lastDelay, due, processes, false);
        }
    }

    /**
     * Why a sample is dead.
     *
     * @param reason why it was given up on
     * @param errorType short type of the last failure
     * @param message what the last failure said
     * @param at when
     */
    public record Death(Reason reason, String errorType, String message, Instant at) {
        /** Cuts what is too long. */
        public Death {
            Objects.requireNonNull(reason, "reason");
            errorType = Texts.kept(errorType, Texts.MAX_NAME);
            message = Texts.kept(message, StageAttempt.MAX_MESSAGE);
        }
    }

    /**
     * Returns {@code id} when it is a good id of a sample.
     *
     * @throws IllegalArgumentException when it is null, empty, too long, or has control characters
     */
    public static String requireId(String id) {
        return Texts.requireId(id);
    }

    /** When it may be tried; empty when at once. */
    public Optional<Instant> due() {
        return Optional.ofNullable(progress.due());
    }

    /** The same sample with its payload, once a store has looked that up. */
    public SampleRecord withPayload(byte[] stored) {
        return new SampleRecord(ordinal, id, state, stage, progress, stored, false, claimed, death);
    }

    /** The same sample after so many processes died with it. */
    SampleRecord withCrashed(int processes) {
        Progress counted = progress.withCrashed(processes);
        return new SampleRecord(ordinal, id, state, stage, counted, payload, payloadKept, claimed, death);
    }

    /** The same sample, brought back to life at its stage, with all attempts before it. */
    public SampleRecord revived() {
        Progress fresh = new Progress(0, progress.sequence(), null, Duration.ZERO, null);
        return new SampleRecord(ordinal, id, SampleState.READY, stage, fresh, payload, payloadKept, false, null);
    }
}
