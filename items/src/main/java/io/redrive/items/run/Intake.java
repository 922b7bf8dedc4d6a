package io.redrive.items.run;

import io.redrive.core.Signal;
import io.redrive.items.Codec;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.PayloadTooLargeException;
import io.redrive.items.SampleSource;
import io.redrive.items.SourceException;
import io.redrive.items.store.Commit;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.Totals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads the source, a chunk at a time and never on the coordinator's thread: a slow source delays nothing else, and each sample
 * can be had as soon as it is read. The first read passes over the samples that the run has taken before, and compares their
 * fingerprint with the stored one.
 */
final class Intake<I> {

    private static final int MAX_CHUNK = 512;
    private static final long MAX_CHUNK_BYTES = 4L * 1024 * 1024;

    private final String run;
    private final SampleSource<I> source;
    private final Codec<I> codec;
    private final int maxPayload;
    private final Executor executor;
    private final Signal signal;

    // ---- The coordinator's ----

    private boolean begun;
    private boolean reading;
    private boolean ended;
    /** Samples of the source up to the last one that the coordinator has heard of, and their fingerprint. */
    private long heardCount;

    private long heardFingerprint;

    // ---- The reading task's, of which one runs at a time ----

    private SampleSource.@Nullable Cursor<I> cursor;
    /** Samples of the source up to the last one that was read, and their fingerprint; ahead of the coordinator's count. */
    private long taken;

    private long fingerprint;

    // ---- Shared ----

    private volatile OptionalLong size = OptionalLong.empty();
    private final Queue<Read> unheard = new ConcurrentLinkedQueue<>();
    /** How the last read ended, until the coordinator hears of it. */
    private volatile @Nullable ReadEnd end;

    private volatile boolean closing;
    /** True while a thread uses the cursor, and for ever once the cursor is closed. */
    private final AtomicBoolean busy = new AtomicBoolean();

    /** New samples, how far the source is read with them, and why it cannot be read further; null when it can. */
    record Chunk(
            List<Read> reads, Commit.Taken taken, @Nullable SourceException failure) {}

    /** Why a read returned: it has what was asked for, the source has no more, or the source failed. */
    private sealed interface ReadEnd {
        record Enough() implements ReadEnd {}

        record SourceEnded() implements ReadEnd {}

        record SourceFailed(SourceException failure) implements ReadEnd {}
    }

    /** A sample of the source, with the fingerprint of the source up to and with the sample. */
    sealed interface Read {
        long ordinal();

        String id();

        long fingerprint();

        /** A sample that could be read. */
        record Good(long ordinal, String id, byte[] payload, long fingerprint) implements Read {}

        /** A sample that could not be read, or is too large. */
        record Bad(long ordinal, String id, String errorType, String message, long fingerprint) implements Read {}
    }

    Intake(String run, SampleSource<I> source, ItemPipeline<I, ?> pipeline, Background background) {
        this.run = run;
        this.source = source;
        codec = pipeline.input();
        maxPayload = pipeline.maxPayload();
        executor = background.executor();
        signal = background.signal();
    }

    /** Makes this process the reader: it goes on after the samples that were taken before. Returns true the first time. */
    boolean begin(RunRecord soFar) {
        boolean first = !begun;
        if (first) {
            begun = true;
            taken = soFar.totals().taken();
            fingerprint = soFar.fingerprint();
            heardCount = taken;
            heardFingerprint = fingerprint;
            ended = soFar.totals().sourceEnded();
        }
        return first;
    }

    boolean isEnded() {
        return ended;
    }

    /** The size of the source, which is known before its first sample is committed; else the committed size. */
    OptionalLong sizeOr(Totals committed) {
        OptionalLong asked = size;
        return asked.isPresent() ? asked : committed.sourceSize();
    }

    boolean isReading() {
        return reading;
    }

    /** Starts to read up to {@code max} samples; false while a read is under way, or when the source has no more. */
    boolean request(int max) {
        if (reading || ended || max < 1) {
            return false;
        }
        reading = true;
        try {
            executor.execute(() -> readAndAnswer(Math.min(max, MAX_CHUNK)));
        } catch (RejectedExecutionException e) {
            reading = false;
        }
        return reading;
    }

    /** The samples read since the last call; null when there are none and the read goes on. */
    @Nullable
    Chunk poll() {
        // Before the samples: once the end of a read is seen, all its samples are queued.
        ReadEnd reached = end;
        List<Read> reads = new ArrayList<>();
        for (Read read = unheard.poll(); read != null; read = unheard.poll()) {
            reads.add(read);
            heardCount = read.ordinal() + 1;
            heardFingerprint = read.fingerprint();
        }
        if (reached != null) {
            end = null;
            reading = false;
            ended = reached instanceof ReadEnd.SourceEnded;
        }
        if (reached == null && reads.isEmpty()) {
            return null;
        }
        return new Chunk(
                reads,
                new Commit.Taken(heardCount, heardFingerprint, ended, size),
                reached instanceof ReadEnd.SourceFailed failed ? failed.failure() : null);
    }

    /** Closes the source: now, or at the end of the read that is under way. */
    void close() {
        if (busy.compareAndSet(false, true)) {
            closeCursor();
        } else {
            closing = true;
            // The read may have returned just before it could see the flag.
            if (busy.compareAndSet(false, true)) {
                closeCursor();
            }
        }
    }

    private void readAndAnswer(int max) {
        if (!busy.compareAndSet(false, true)) {
            return;
        }
        ReadEnd reached = read(max);
        // Before the end is told: the coordinator may ask for more at once, on another thread.
        busy.set(false);
        if (closing && busy.compareAndSet(false, true)) {
            closeCursor();
        }
        end = reached;
        signal.raise();
    }

    private void closeCursor() {
        if (cursor != null) {
            try {
                cursor.close();
            } catch (Throwable e) {
                Warnings.warn("source of run '" + run + "' did not close; ignored: ", e);
            }
        }
    }

    private ReadEnd read(int max) {
        try {
            if (cursor == null) {
                cursor = open();
            }
            int samples = 0;
            for (long bytes = 0; samples < max && bytes < MAX_CHUNK_BYTES; samples++) {
                Optional<Item<I>> next = cursor.next();
                if (next.isEmpty()) {
                    return new ReadEnd.SourceEnded();
                }
                Read read = toRead(next.get(), taken, fingerprint);
                fingerprint = read.fingerprint();
                taken++;
                bytes += read instanceof Read.Good good ? good.payload().length : 0;
                unheard.add(read);
                signal.raiseSoon();
            }
            return new ReadEnd.Enough();
        } catch (SourceException e) {
            return new ReadEnd.SourceFailed(e);
        } catch (Throwable e) {
            return new ReadEnd.SourceFailed(new SourceException(
                    "source of run '" + run + "' failed after " + taken + " samples: " + Warnings.textOf(e)
                            + "; the run is stopped, resume it once the cause is gone",
                    e));
        }
    }

    /** Opens the source after the samples that were taken before. */
    private SampleSource.Cursor<I> open() throws Exception {
        size = source.size();
        SampleSource.Cursor<I> opened = source.open();
        // Assigned before the first read: an exception of the read then leaves a cursor to close.
        cursor = opened;
        long passed = 0;
        long seen = 0;
        while (passed < taken) {
            Optional<Item<I>> next = opened.next();
            if (next.isEmpty()) {
                throw changed("it had at least " + taken + " samples when the run stopped and has " + passed + " now");
            }
            seen = toRead(next.get(), passed, seen).fingerprint();
            passed++;
        }
        if (seen != fingerprint) {
            throw changed("its first " + taken + " samples are not those the run has taken");
        }
        return opened;
    }

    private SourceException changed(String how) {
        return new SourceException(
                "source of run '" + run + "' has changed: " + how
                        + "; resume with the source it began with, or start a new run",
                null);
    }

    private Read toRead(Item<I> item, long ordinal, long before) {
        if (item instanceof Item.Bad<I> bad) {
            return bad(ordinal, bad.id(), bad.type(), bad.message(), before);
        }
        Item.Good<I> good = (Item.Good<I>) item;
        try {
            byte[] payload = codec.encode(good.value());
            if (payload.length > maxPayload) {
                throw new PayloadTooLargeException("sample '" + good.id() + "'", payload.length, maxPayload);
            }
            long mixed = mix(mix(before, good.id().hashCode()), Arrays.hashCode(payload));
            return new Read.Good(ordinal, good.id(), payload, mixed);
        } catch (Throwable e) {
            return bad(ordinal, good.id(), e.getClass().getSimpleName(), Warnings.messageOf(e), before);
        }
    }

    private static Read bad(long ordinal, String id, String type, String message, long before) {
        return new Read.Bad(ordinal, id, type, message, mix(mix(before, id.hashCode()), type.hashCode()));
    }

    private static long mix(long before, int value) {
        long mixed = (before ^ value) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 32);
    }
}
