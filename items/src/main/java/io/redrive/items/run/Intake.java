package io.redrive.items.run;

import io.redrive.items.Codec;
import io.redrive.items.Item;
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

/**
 * Reads the source, a chunk at a time and never on the coordinator's thread: a slow source must hold up nothing else, nor
 * what it gave already, so each sample can be had as soon as it is read. The first read passes over what the run has taken
 * before and compares its fingerprint with what is there now.
 */
final class Intake<I> {

    private static final int MAX_CHUNK = 512;
    private static final long MAX_CHUNK_BYTES = 4L * 1024 * 1024;

    private final String run;
    private final SampleSource<I> source;
    private final Codec<I> codec;
    private final int maxPayload;
    private final Executor executor;
    private final Runnable wake;
    private final Runnable wakeSoon;

    // The coordinator's.
    private boolean begun;
    private boolean reading;
    private boolean ended;
    private long had;
    private long hadFingerprint;

    // The reading task's; handed over through the end.
    private SampleSource.Cursor<I> cursor;
    private long taken;
    private long fingerprint;
    private volatile OptionalLong size = OptionalLong.empty();

    private final Queue<Read> unheard = new ConcurrentLinkedQueue<>();
    private volatile End end;
    private volatile boolean closing;
    /** True while somebody has the cursor, and for ever once it is closed. */
    private final AtomicBoolean busy = new AtomicBoolean();

    /** What was read, and how far the source is read now. */
    record Chunk(List<Read> reads, Commit.Taken taken, RuntimeException failure) {}

    /** How reading what was asked for came to its end. */
    private record End(boolean ofSource, RuntimeException failure) {}

    /** A sample, or why there is none, and the fingerprint of the source up to and with it. */
    record Read(long ordinal, String id, byte[] payload, String errorType, String message, long fingerprint) {
        boolean isBad() {
            return payload == null;
        }
    }

    /** Whose source it is; {@code wakeSoon} is for what may wait until there is more of it. */
    record Place(String run, Executor executor, Runnable wake, Runnable wakeSoon) {}

    Intake(Place place, SampleSource<I> source, Codec<I> codec, int maxPayload) {
        run = place.run();
        executor = place.executor();
        wake = place.wake();
        wakeSoon = place.wakeSoon();
        this.source = source;
        this.codec = codec;
        this.maxPayload = maxPayload;
    }

    /** From now on this process reads: goes on after what was taken by whoever read before. True the first time. */
    boolean begin(RunRecord soFar) {
        boolean first = !begun;
        if (first) {
            begun = true;
            taken = soFar.totals().taken();
            fingerprint = soFar.fingerprint();
            had = taken;
            hadFingerprint = fingerprint;
            ended = soFar.totals().sourceEnded();
        }
        return first;
    }

    boolean isEnded() {
        return ended;
    }

    /** How many samples the source has, once it has been asked: before the first of them is committed. */
    OptionalLong sizeOr(Totals committed) {
        OptionalLong asked = size;
        return asked.isPresent() ? asked : committed.sourceSize();
    }

    boolean isReading() {
        return reading;
    }

    /** Starts reading up to {@code max} samples; false when it is at it already, or there are no more. */
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

    /** What was read since the last call; null when nothing. */
    Chunk poll() {
        // First: when it is there, so is all that was read.
        End reached = end;
        List<Read> reads = new ArrayList<>();
        for (Read read = unheard.poll(); read != null; read = unheard.poll()) {
            reads.add(read);
            had = read.ordinal() + 1;
            hadFingerprint = read.fingerprint();
        }
        if (reached != null) {
            end = null;
            reading = false;
            ended = reached.ofSource();
        }
        return reached == null && reads.isEmpty()
                ? null
                : new Chunk(
                        reads,
                        new Commit.Taken(had, hadFingerprint, ended, size),
                        reached == null ? null : reached.failure());
    }

    /** Closes the source; a read that is under way does it when it is through. */
    void close() {
        if (busy.compareAndSet(false, true)) {
            closeCursor();
        } else {
            closing = true;
            // The read may have ended just before it could have seen that.
            if (busy.compareAndSet(false, true)) {
                closeCursor();
            }
        }
    }

    private void readAndAnswer(int max) {
        if (!busy.compareAndSet(false, true)) {
            return;
        }
        End reached = read(max);
        // First: who sees the end may ask for more at once, on another thread.
        busy.set(false);
        if (closing && busy.compareAndSet(false, true)) {
            closeCursor();
        }
        end = reached;
        wake.run();
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

    private End read(int max) {
        try {
            if (cursor == null) {
                open();
            }
            int samples = 0;
            for (long bytes = 0; samples < max && bytes < MAX_CHUNK_BYTES; samples++) {
                Optional<Item<I>> next = cursor.next();
                if (next.isEmpty()) {
                    return new End(true, null);
                }
                Read read = read(next.get());
                bytes += read.isBad() ? 0 : read.payload().length;
                unheard.add(read);
                wakeSoon.run();
            }
            return new End(false, null);
        } catch (SourceException e) {
            return new End(false, e);
        } catch (Throwable e) {
            SourceException failure = new SourceException(
                    "source of run '" + run + "' failed after " + taken + " samples: " + Warnings.textOf(e)
                            + "; the run is stopped, resume it once the cause is gone",
                    e);
            return new End(false, failure);
        }
    }

    private Read read(Item<I> item) {
        Read read = toRead(item, taken, fingerprint);
        fingerprint = read.fingerprint();
        taken++;
        return read;
    }

    private void open() throws Exception {
        size = source.size();
        cursor = source.open();
        long passed = 0;
        long seen = 0;
        while (passed < taken) {
            Optional<Item<I>> next = cursor.next();
            if (next.isEmpty()) {
                throw changed("it had at least " + taken + " samples when the run stopped and has " + passed + " now");
            }
            seen = toRead(next.get(), passed, seen).fingerprint();
            passed++;
        }
        if (seen != fingerprint) {
            throw changed("its first " + taken + " samples are not those the run has taken");
        }
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
            return new Read(ordinal, good.id(), payload, "", "", mixed);
        } catch (Throwable e) {
            return bad(ordinal, good.id(), e.getClass().getSimpleName(), Warnings.messageOf(e), before);
        }
    }

    private static Read bad(long ordinal, String id, String type, String message, long before) {
        return new Read(ordinal, id, null, type, message, mix(mix(before, id.hashCode()), type.hashCode()));
    }

    private static long mix(long before, int value) {
        long mixed = (before ^ value) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 32);
    }
}
