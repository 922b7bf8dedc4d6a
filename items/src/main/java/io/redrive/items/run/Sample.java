package io.redrive.items.run;

import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A sample on its way. Belongs to the coordinator, except from its release to a worker until the worker has queued what
 * became of it: then only the worker reads it and nobody writes.
 */
final class Sample {

    final long ordinal;
    final String id;
    SampleState state = SampleState.READY;
    int stage;
    byte[] payload;
    int failed;
    int sequence;
    Instant firstAttempt;
    Duration lastDelay = Duration.ZERO;
    Instant due;
    Death death;

    /** Type of the last failure at this stage, for the retry budget; another process does not know it. */
    String lastErrorType = "unknown";

    /** How often a stage was interrupted with it in this process. */
    int interruptions;

    /** Processes that died while it was marked as begun. */
    int crashed;

    /** Marked as begun: should this process die, the sample is counted. */
    boolean begun;

    /** To be given back to the store with the next commit. */
    boolean parked;

    /** The store has the payload as it is now. */
    boolean payloadStored;

    /** Changed since it was last written. */
    boolean dirty;

    /** When the first of what was not written yet happened to it; null when nothing has, but that it was taken. */
    Instant changedAt;

    /** Lines of its audit trail that were not written yet. */
    List<StageAttempt> newLines = none();

    /** The store has a record of it. */
    boolean stored;

    /** Of the source up to and with this sample; only while it is not stored. */
    long fingerprint;

    Sample(long ordinal, String id, byte[] payload) {
        this.ordinal = ordinal;
        this.id = id;
        this.payload = payload;
    }

    static Sample from(SampleRecord stored) {
        Sample sample = new Sample(stored.ordinal(), stored.id(), stored.payload());
        sample.stage = stored.stage();
        sample.failed = stored.progress().failed();
        sample.sequence = stored.progress().sequence();
        sample.firstAttempt = stored.progress().firstAttempt();
        sample.lastDelay = stored.progress().lastDelay();
        sample.due = stored.progress().due();
        sample.crashed = stored.progress().crashed();
        sample.payloadStored = true;
        sample.stored = true;
        return sample;
    }

    /** Taken from the source, which is read up to here. */
    static Sample from(Intake.Read read) {
        Sample sample = new Sample(read.ordinal(), read.id(), read.payload());
        sample.fingerprint = read.fingerprint();
        return sample;
    }

    SampleRecord toRecord() {
        boolean needed = state == SampleState.READY || state == SampleState.DEAD;
        return new SampleRecord(
                ordinal,
                id,
                state,
                stage,
                new Progress(failed, sequence, firstAttempt, lastDelay, due, crashed, isMarked()),
                needed && !payloadStored ? payload : null,
                needed && payloadStored,
                state == SampleState.READY && !parked,
                death);
    }

    private boolean isMarked() {
        return begun && state == SampleState.READY && !parked;
    }

    /** Of the same class as lists with lines: code that has met only one kind of list is compiled once. */
    private static List<StageAttempt> none() {
        return new ArrayList<>(0);
    }

    void addLine(StageAttempt line) {
        if (newLines.isEmpty()) {
            newLines = new ArrayList<>(3);
        }
        newLines.add(line);
    }

    /** All there is to tell is on its way to the store. */
    void written() {
        dirty = false;
        changedAt = null;
        newLines = none();
        payloadStored = true;
        stored = true;
    }

    int bytes() {
        return payload == null ? 0 : payload.length;
    }

    /** On to the next stage, with what this one made. */
    void advance(byte[] made) {
        stage++;
        payload = made;
        payloadStored = false;
        failed = 0;
        interruptions = 0;
        lastErrorType = "unknown";
        firstAttempt = null;
        lastDelay = Duration.ZERO;
        due = null;
    }

    /** Waits for another attempt at the same stage. */
    void retry(Duration delay, Instant now) {
        failed++;
        lastDelay = delay;
        due = now.plus(delay);
    }
}
