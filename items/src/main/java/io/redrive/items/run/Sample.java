package io.redrive.items.run;

import io.redrive.core.Failure;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Payload;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sample in this process. Belongs to the coordinator, except from its release to a worker until the worker has queued the
 * result of the call: meanwhile only the worker reads it, and no thread writes.
 */
final class Sample {

    private static final String NO_ERROR = "unknown";
    private static final byte[] NO_BYTES = {};

    private final long ordinal;
    private final String id;

    /** Fingerprint of the source up to and with this sample; 0 for a sample that was claimed from the store. */
    private final long fingerprint;

    // ---- Where the sample is ----

    private SampleState state = SampleState.READY;
    /** Index of the stage; -1 when the source could not read the sample. */
    private int stage;

    private byte[] payload;
    private @Nullable Death death;
    /** True when the next commit gives the sample back to the store, for any process to claim. */
    private boolean parked;

    // ---- Its attempts at this stage ----

    private int failed;
    private @Nullable Instant firstAttempt;
    private Duration lastDelay = Duration.ZERO;
    private Instant due = Instant.MIN;
    /** Type of the last failure at this stage, for the retry budget; the store does not keep it. */
    private String lastErrorType = NO_ERROR;

    private int interruptions;

    // ---- Deaths of its processes; see PoisonWatch ----

    private int crashed;
    private boolean marked;

    // ---- What the store has not heard of; see Ledger ----

    /** Lines of the audit trail so far, of all stages and all processes. */
    private int lines;

    private List<StageAttempt> newLines = noLines();
    private @Nullable Instant changedAt;
    private boolean inLedger;
    private boolean stored;
    private boolean payloadStored;

    private Sample(long ordinal, String id, byte[] payload, long fingerprint) {
        this.ordinal = ordinal;
        this.id = id;
        this.payload = payload;
        this.fingerprint = fingerprint;
    }

    /** A sample that was taken from the source; an unreadable one has no payload. */
    static Sample from(Intake.Read read) {
        byte[] payload = read instanceof Intake.Read.Good good ? good.payload() : NO_BYTES;
        return new Sample(read.ordinal(), read.id(), payload, read.fingerprint());
    }

    /** A sample that was claimed from the store. */
    static Sample from(SampleRecord claimed) {
        Sample sample = new Sample(claimed.ordinal(), claimed.id(), claimed.bytes(), 0);
        Progress progress = claimed.progress();
        sample.stage = claimed.stage();
        sample.failed = progress.failed();
        sample.lines = progress.sequence();
        sample.firstAttempt = progress.firstAttempt();
        sample.lastDelay = progress.lastDelay();
        sample.due = claimed.due().orElse(Instant.MIN);
        sample.crashed = progress.crashed();
        sample.payloadStored = true;
        sample.stored = true;
        return sample;
    }

    SampleRecord toRecord() {
        Instant dueAt = due.equals(Instant.MIN) ? null : due;
        boolean claimed = state == SampleState.READY && !parked;
        return new SampleRecord(
                ordinal,
                id,
                state,
                stage,
                new Progress(failed, lines, firstAttempt, lastDelay, dueAt, crashed, marked && claimed),
                payloadToStore(),
                claimed,
                death);
    }

    private Payload payloadToStore() {
        boolean needed = state == SampleState.READY || state == SampleState.DEAD;
        if (!needed || stage < 0) {
            return Payload.NONE;
        }
        return payloadStored ? Payload.KEPT : new Payload.Bytes(payload);
    }

    // ---- Questions ----

    long ordinal() {
        return ordinal;
    }

    String id() {
        return id;
    }

    SampleState state() {
        return state;
    }

    int stage() {
        return stage;
    }

    byte[] payload() {
        return payload;
    }

    /** Number of the attempt that is next or under way at this stage, from 1. */
    int attempt() {
        return failed + 1;
    }

    /** True when an attempt at this stage has failed. */
    boolean isRetry() {
        return failed > 0;
    }

    Duration lastDelay() {
        return lastDelay;
    }

    Instant due() {
        return due;
    }

    boolean isDue(Instant now) {
        return !due.isAfter(now);
    }

    /** Time since the first attempt at this stage began; zero before, and when the clock was set back. */
    Duration elapsed(Instant now) {
        return firstAttempt == null || firstAttempt.isAfter(now) ? Duration.ZERO : Duration.between(firstAttempt, now);
    }

    /** The last failure at this stage, as the retry budget is told of it. */
    Failure lastFailure() {
        return Failure.kind(lastErrorType);
    }

    /** How many processes died while the sample was marked. */
    int crashed() {
        return crashed;
    }

    boolean isMarked() {
        return marked;
    }

    boolean isParked() {
        return parked;
    }

    /** True when this process is done with the sample once the store has it: it has its end, or is parked. */
    boolean isLeaving() {
        return state.isFinal() || parked;
    }

    // ---- Transitions, by the coordinator ----

    /** An attempt at this stage began then. */
    void began(Instant at) {
        firstAttempt = firstAttempt == null ? at : firstAttempt;
    }

    /** The stage made {@code made}: on to the next stage. */
    void advance(byte[] made) {
        stage++;
        payload = made;
        payloadStored = false;
        failed = 0;
        interruptions = 0;
        lastErrorType = NO_ERROR;
        firstAttempt = null;
        lastDelay = Duration.ZERO;
        due = Instant.MIN;
    }

    /** The attempt failed; the next one at this stage is due after {@code delay}. */
    void retry(Failure failure, Duration delay, Instant now) {
        failed++;
        lastErrorType = failure.type();
        lastDelay = delay;
        due = now.plus(delay);
    }

    /** The retry budget has no token: the next attempt is due at {@code until}, and none is spent. */
    void postpone(Instant until) {
        due = until;
    }

    /** The attempt was interrupted. Returns how often that happened at this stage, in this process. */
    int interrupted() {
        interruptions++;
        return interruptions;
    }

    /** The last attempt failed. */
    void giveUp(Death cause) {
        failed++;
        die(cause);
    }

    /** The source could not read the sample. */
    void unreadable(Death cause) {
        stage = -1;
        die(cause);
    }

    void die(Death cause) {
        death = cause;
        state = SampleState.DEAD;
    }

    void skip() {
        state = SampleState.SKIPPED;
    }

    void succeed() {
        state = SampleState.SUCCEEDED;
    }

    /** To be given back to the store with the next commit. */
    void park() {
        parked = true;
    }

    /** Marks the sample as begun: should this process die, the store counts the death against the sample. */
    void mark() {
        marked = true;
    }

    void unmark() {
        marked = false;
    }

    // ---- Bookkeeping, by the ledger ----

    /** Returns true when the sample was not in the ledger; it is from now on. */
    boolean enterLedger() {
        boolean entered = !inLedger;
        inLedger = true;
        return entered;
    }

    /** Notes that the sample changed. Returns true when this is the oldest change that is not written. */
    boolean changed(Instant now) {
        boolean oldest = changedAt == null;
        changedAt = oldest ? now : changedAt;
        return oldest;
    }

    /** Time of the oldest unwritten change; null when the sample was only taken from the source, or nothing changed. */
    @Nullable
    Instant changedAt() {
        return changedAt;
    }

    /** Returns the number of the next line of the audit trail. */
    int nextLine() {
        lines++;
        return lines;
    }

    void addLine(StageAttempt line) {
        if (newLines.isEmpty()) {
            newLines = new ArrayList<>(3);
        }
        newLines.add(line);
    }

    /** Lines of the audit trail that are not written yet. */
    List<StageAttempt> newLines() {
        return newLines;
    }

    /** True when the store has a record of the sample. */
    boolean isStored() {
        return stored;
    }

    long fingerprint() {
        return fingerprint;
    }

    /** All changes are on a page that goes to the store. */
    void written() {
        inLedger = false;
        changedAt = null;
        newLines = noLines();
        payloadStored = true;
        stored = true;
    }

    /** An {@code ArrayList} as any other, not {@code List.of()}: callers that meet one class of list only run faster. */
    private static List<StageAttempt> noLines() {
        return new ArrayList<>(0);
    }
}
