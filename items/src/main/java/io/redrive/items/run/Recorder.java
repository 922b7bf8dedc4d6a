package io.redrive.items.run;

import io.redrive.core.Signal;
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
import org.jspecify.annotations.Nullable;

/**
 * Writes pages, one after the other, while the run goes on: first the results to the sink, then the rest of the page and the
 * position of the sink in one transaction of the store. After a crash between the two writes, the sink has results unknown to
 * the store; the sink removes these results when opened at the stored position, and their samples are run again.
 *
 * <p>A failed page is written again unchanged: results in the sink are not written twice, and the store recognizes a commit by
 * its number.
 */
final class Recorder<O> {

    private final Lease lease;
    private final RunStore store;
    private final Sink<O> sink;
    private final Codec<O> codec;
    private final Executor executor;
    private final Time time;
    private final Signal signal;

    // ---- The coordinator's; the first commit was made when the run was joined ----

    private long number = 1;
    /** Pages handed over whose answer the coordinator has not heard. */
    private int unheard;
    /** True when the coordinator has heard of a failure: its next call has the page written again. */
    private boolean again;

    private boolean troubled;

    // ---- Shared ----

    /** Pages to write, in order; the first stays until it is written. */
    private final Queue<Numbered> pages = new ConcurrentLinkedQueue<>();

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    /** True after a failure, until the coordinator has heard of it: nothing is written meanwhile. */
    private volatile boolean failed;

    private volatile boolean givenUp;

    // ---- The writing task's, of which one runs at a time ----

    private String position;
    /** True when the sink has the results of the first page, and the store does not have the page. */
    private boolean sinkWritten;
    /** True during a write to the sink, and after a failed one: the sink must be opened again at {@link #position}. */
    private boolean sinkFailed;

    /** The sink, the codec of its values, and the position at which it was opened. */
    record Output<O>(Sink<O> sink, Codec<O> codec, String position) {}

    private record Numbered(long number, Ledger.Page page) {}

    /** What became of a page. */
    sealed interface Answer {
        /** The page is in the store, and the run stands like this. */
        record Written(Ledger.Page page, RunRecord run) implements Answer {}

        /** The lease was taken away, and the page changed nothing. */
        record Stale() implements Answer {}

        /** The sink or the store failed; the page is to be written again. */
        record Failed(Exception failure) implements Answer {}
    }

    Recorder(Lease lease, RunStore store, Output<O> output, Background background) {
        this.lease = lease;
        this.store = store;
        sink = output.sink();
        codec = output.codec();
        position = output.position();
        executor = background.executor();
        time = background.time();
        signal = background.signal();
    }

    /** True while a page is being written, or waits to be. */
    boolean isBusy() {
        return unheard > 0;
    }

    /** Writes a page after the pages before it. */
    void write(Ledger.Page page) {
        unheard++;
        number++;
        pages.add(new Numbered(number, page));
        start();
    }

    /**
     * Returns the next page that was written; null when there is none.
     *
     * @throws StaleLease when the lease was taken away
     * @throws RuntimeException when the sink or the store failed; the next call writes the page again
     */
    Answer.@Nullable Written poll() {
        if (again) {
            again = false;
            failed = false;
        }
        start();
        Answer answer = answers.poll();
        if (answer instanceof Answer.Failed failure) {
            again = true;
            troubled = true;
            throw asRuntimeException(failure.failure());
        }
        if (answer != null) {
            unheard--;
            troubled = false;
        }
        if (answer instanceof Answer.Stale) {
            throw new StaleLease();
        }
        return (Answer.Written) answer;
    }

    private RuntimeException asRuntimeException(Exception failure) {
        return failure instanceof RuntimeException known
                ? known
                : new IllegalStateException("sink '" + sink.name() + "' failed: " + Warnings.textOf(failure), failure);
    }

    /** True when the last answer was a failure. */
    boolean isTroubled() {
        return troubled;
    }

    /** Writes no further page, ever: another process may write to the sink. */
    void giveUp() {
        givenUp = true;
    }

    /** True while a thread is in the sink or the store, also after {@link #giveUp}. */
    boolean isWriting() {
        return writing.get();
    }

    private void start() {
        if (!failed && !givenUp && !pages.isEmpty() && writing.compareAndSet(false, true)) {
            try {
                executor.execute(this::writeAll);
            } catch (RejectedExecutionException e) {
                // The executor is the user's, and full or shut down: the next step tries again.
                writing.set(false);
            }
        }
    }

    /** Writes one page after the other, without waiting for the coordinator to hear of each. */
    private void writeAll() {
        for (Numbered next = pages.peek(); next != null && !givenUp; next = pages.peek()) {
            Answer answer = write(next);
            if (!(answer instanceof Answer.Written)) {
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
            signal.raise();
        }
        // A page may have come after the last look, while this task still counted as writing.
        start();
    }

    private void tell(Answer answer) {
        answers.add(answer);
        signal.raise();
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
            Optional<RunRecord> run = store.commit(commit, time.now());
            return run.isPresent() ? new Answer.Written(page, run.get()) : new Answer.Stale();
        } catch (Exception e) {
            return new Answer.Failed(e);
        } catch (Throwable e) {
            String why = "writing the results failed: " + Warnings.textOf(e);
            return new Answer.Failed(new IllegalStateException(why, e));
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
