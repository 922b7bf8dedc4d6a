package io.redrive.items.store;

import io.redrive.core.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sample in a store, with all facts needed to continue at its stage.
 *
 * @param ordinal the place of the sample in the source, from 0, which identifies the sample within the run
 * @param id the id of the sample for people
 * @param state ready, or the end of the sample
 * @param stage the index of the stage; -1 when the source could not read the sample
 * @param progress the attempts at this stage
 * @param payload the bytes made by the previous stage
 * @param claimed true when the process that writes this record keeps the sample
 * @param death why the sample is dead; null in any other state. {@link DeadSample#death()} is never null.
 */
public record SampleRecord(
        long ordinal,
        String id,
        SampleState state,
        int stage,
        Progress progress,
        Payload payload,
        boolean claimed,
        @Nullable Death death) {

    /** Refuses a dead sample without a death, and a death of any other sample. */
    public SampleRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(progress, "progress");
        Objects.requireNonNull(payload, "payload");
        if ((state == SampleState.DEAD) != (death != null)) {
            throw new IllegalArgumentException("sample " + ordinal + " must have a death exactly when it is dead");
        }
    }

    /** The payload of a sample: its bytes, or why a record comes without them. */
    public sealed interface Payload {

        /** The sample has no payload: it succeeded or was skipped, or the source could not read it. */
        Payload NONE = new None();

        /** The store has the payload already, and keeps it. Only in commits, never in a record that a store returns. */
        Payload KEPT = new Kept();

        /** The bytes; null stands for {@link #NONE}. */
        static Payload of(byte @Nullable [] bytes) {
            return bytes == null ? NONE : new Bytes(bytes);
        }

        /** The bytes, not copied: do not change them. */
        record Bytes(byte[] bytes) implements Payload {}

        /** See {@link #KEPT}. */
        record Kept() implements Payload {}

        /** See {@link #NONE}. */
        record None() implements Payload {}
    }

    /**
     * The attempts of a sample at its stage.
     *
     * @param failed attempts that failed at this stage
     * @param sequence lines in the audit trail so far, of all stages
     * @param firstAttempt when the first attempt at this stage began; null before
     * @param lastDelay the wait before the next attempt; zero before the first
     * @param due earliest time of the next attempt; null when at once
     * @param crashed processes that died while the sample was marked as begun
     * @param begun true in a commit when the process is about to begin the sample, and the store is to count the death of the
     *     process against it; never in a record that a store returns
     */
    public record Progress(
            int failed,
            int sequence,
            @Nullable Instant firstAttempt,
            Duration lastDelay,
            @Nullable Instant due,
            int crashed,
            boolean begun) {
        /** No attempt yet. */
        public static final Progress NONE = new Progress(0, 0, null, Duration.ZERO, null);

        /** The progress of a sample that no process died with. */
        public Progress(
                int failed, int sequence, @Nullable Instant firstAttempt, Duration lastDelay, @Nullable Instant due) {
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
     * @param reason why no further attempt was made
     * @param errorType short type of the last failure
     * @param message the text of the last failure
     * @param at when
     */
    public record Death(Reason reason, String errorType, String message, Instant at) {
        /** Cuts long texts. */
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

    /** Returns the earliest time of the next attempt; empty when at once. */
    public Optional<Instant> due() {
        return Optional.ofNullable(progress.due());
    }

    /** Returns true when the record carries the bytes of the payload. */
    public boolean hasBytes() {
        return payload instanceof Payload.Bytes;
    }

    /**
     * Returns the bytes of the payload.
     *
     * @throws IllegalStateException when the record carries none; see {@link #hasBytes}
     */
    public byte[] bytes() {
        if (payload instanceof Payload.Bytes there) {
            return there.bytes();
        }
        throw new IllegalStateException("sample " + ordinal + " must have a payload, got " + payload);
    }

    /** Returns the same sample with this payload. */
    public SampleRecord withPayload(Payload other) {
        return new SampleRecord(ordinal, id, state, stage, progress, other, claimed, death);
    }

    /** Returns the same sample with another count of dead processes. */
    SampleRecord withCrashed(int processes) {
        Progress counted = progress.withCrashed(processes);
        return new SampleRecord(ordinal, id, state, stage, counted, payload, claimed, death);
    }

    /** Returns the same sample, ready again at its stage, with no attempt spent. */
    public SampleRecord revived() {
        Progress fresh = new Progress(0, progress.sequence(), null, Duration.ZERO, null);
        return new SampleRecord(ordinal, id, SampleState.READY, stage, fresh, payload, false, null);
    }
}
