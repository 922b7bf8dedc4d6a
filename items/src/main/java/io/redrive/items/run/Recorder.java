package io.redrive.items.run;

import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.Result;
import io.redrive.items.Sink;
import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes pages down, one after the other, while the run goes on: first the results to the sink, then, in one transaction,
 * everything else and how far the sink was written. A crash between the two leaves results in the sink that nobody knows
 * of; the sink takes them back when it is opened at the position that was stored, and their samples are run again.
 *
 * <p>A page that failed is written again as it is: a result that is in the sink is not written twice, and a commit that did
 * take effect is told by its number.
 */
final class Recorder<O> {

    private final Lease lease;
    private final RunStore store;
    private final Sink<O> sink;
    private final Codec<O> codec;
    private final Executor executor;
    private final Time time;
    private final Runnable wake;

    // The coordinator's. The first commit was made when the run was joined.
    private long number = 1;
    private int unheard;
    private boolean again;
    private boolean troubled;

    /** Pages to write, in order; the first stays until it is written. */
    private final Queue<Numbered> pages = new ConcurrentLinkedQueue<>();

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    /** Nothing is written until the coordinator has heard why not. */
    private volatile boolean failed;

    private volatile boolean givenUp;

    // The writing task's; there is one at a time.
    private String position;
    private boolean sinkWritten;
    private boolean sinkFailed;

    /** The page that was written, and the run as it stands; empty when the lease is stale. */
    record Recorded(Ledger.Page page, Optional<RunRecord> run) {}

    private record Numbered(long number, Ledger.Page page) {}

    private record Answer(Ledger.Page page, Optional<RunRecord> run, Exception failure) {}

    /** What a recorder works with. */
    record Place<O>(RunStore store, Sink<O> sink, Codec<O> codec, Executor executor, Time time, Runnable wake) {}

    Recorder(Lease lease, Place<O> place, String position) {
        this.lease = lease;
        store = place.store();
        sink = place.sink();
        codec = place.codec();
        executor = place.executor();
        time = place.time();
        wake = place.wake();
        this.position = position;
    }

    /** True while a page is on its way, or waits to be written. */
    boolean isBusy() {
        return unheard > 0;
    }

    /** Writes a page once those before are written. */
    void write(Ledger.Page page) {
        unheard++;
        number++;
        pages.add(new Numbered(number, page));
        start();
    }

    /** What was written since the last call; empty when nothing. Throws what went wrong, and writes again next time. */
    Optional<Recorded> poll() {
        if (again) {
            again = false;
            failed = false;
        }
        start();
        Answer ready = answers.poll();
        if (ready == null) {
            return Optional.empty();
        }
        if (ready.failure() != null) {
            again = true;
            troubled = true;
            throw ready.failure() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException(
                            "sink '" + sink.name() + "' failed: " + Warnings.textOf(ready.failure()), ready.failure());
        }
        unheard--;
        troubled = false;
        return Optional.of(new Recorded(ready.page(), ready.run()));
    }

    /** True when the last that was heard is that something went wrong. */
    boolean isTroubled() {
        return troubled;
    }

    /** Nothing more is begun, for ever: somebody else is to write to the sink. */
    void giveUp() {
        givenUp = true;
    }

    /** True while a thread is at the sink or the store, also when nobody listens any more. */
    boolean isWriting() {
        return writing.get();
    }

    private void start() {
        if (!failed && !givenUp && !pages.isEmpty() && writing.compareAndSet(false, true)) {
            try {
                executor.execute(this::writeAll);
            } catch (RejectedExecutionException e) {
                // Somebody else's executor, full or shut down: the next step tries again.
                writing.set(false);
            }
        }
    }

    /** One page after the other, without waiting for the coordinator to hear of each. */
    private void writeAll() {
        for (Numbered next = pages.peek(); next != null && !givenUp; next = pages.peek()) {
            Answer answer = write(next);
            if (answer.run().isEmpty()) {
                failed = true;
                writing.set(false);
                tell(answer);
                return;
            }
            pages.remove();
            sinkWritten = false;
            tell(answer);
        }
        writing.set(false);
        if (givenUp) {
            wake.run();
        }
        // A page may have come after the last look, from a coordinator who still saw this task at work.
        start();
    }

    private void tell(Answer answer) {
        answers.add(answer);
        wake.run();
    }

    private Answer write(Numbered next) {
        Ledger.Page page = next.page();
        try {
            if (!sinkWritten && !page.results().isEmpty()) {
                position = writeResults(page);
                sinkWritten = true;
            }
            Optional<Commit.SinkPosition> sinkPosition = page.results().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Commit.SinkPosition(sink.name(), position));
            Commit commit = new Commit(
                    lease, next.number(), page.taken(), page.changes(), sinkPosition, page.pauses(), page.spending());
            return new Answer(page, store.commit(commit, time.now()), null);
        } catch (Exception e) {
            return new Answer(page, Optional.empty(), e);
        } catch (Throwable e) {
            String why = "writing the results failed: " + Warnings.textOf(e);
            return new Answer(page, Optional.empty(), new IllegalStateException(why, e));
        }
    }

    private String writeResults(Ledger.Page page) throws Exception {
        if (sinkFailed) {
            sink.open(Optional.of(position));
            sinkFailed = false;
        }
        List<Result<O>> results = new ArrayList<>(page.results().size());
        for (Result<byte[]> result : page.results()) {
            results.add(new Result<>(result.run(), result.ordinal(), result.id(), codec.decode(result.value())));
        }
        sinkFailed = true;
        String written = sink.write(results);
        sinkFailed = false;
        return written;
    }
}
