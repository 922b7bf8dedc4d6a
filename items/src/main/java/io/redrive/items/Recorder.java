package io.redrive.items;

import io.redrive.core.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;

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
    private final Queue<Ledger.Page> next = new ArrayDeque<>();
    private Ledger.Page current;
    private boolean writing;

    // The writing task's; handed over through the answer.
    private String position;
    private boolean sinkWritten;
    private boolean sinkFailed;

    private volatile Answer answer;

    /** The page that was written, and the run as it stands; empty when the lease is stale. */
    record Recorded(Ledger.Page page, Optional<RunRecord> run) {}

    private record Answer(Optional<RunRecord> run, Exception failure) {}

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
        return current != null;
    }

    /** Writes a page once those before are written. */
    void write(Ledger.Page page) {
        next.add(page);
        if (current == null) {
            begin();
        }
    }

    private void begin() {
        current = next.remove();
        number++;
        sinkWritten = current.results().isEmpty();
        send();
    }

    /** What was written since the last call; empty when nothing. Throws what went wrong, and writes again next time. */
    Optional<Recorded> poll() {
        if (current != null && !writing) {
            send();
        }
        Answer ready = answer;
        if (ready == null) {
            return Optional.empty();
        }
        answer = null;
        writing = false;
        if (ready.failure() != null) {
            throw ready.failure() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException(
                            "sink '" + sink.name() + "' failed: " + ready.failure(), ready.failure());
        }
        Recorded recorded = new Recorded(current, ready.run());
        current = null;
        if (ready.run().isPresent() && !next.isEmpty()) {
            begin();
        }
        return Optional.of(recorded);
    }

    private void send() {
        executor.execute(() -> {
            answer = write();
            wake.run();
        });
        writing = true;
    }

    private Answer write() {
        try {
            if (!sinkWritten) {
                position = writeResults();
                sinkWritten = true;
            }
            Optional<Commit.SinkPosition> sinkPosition = current.results().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Commit.SinkPosition(sink.name(), position));
            Commit commit =
                    new Commit(lease, number, current.taken(), current.changes(), sinkPosition, current.pauses());
            return new Answer(store.commit(commit, time.now()), null);
        } catch (Exception e) {
            return new Answer(Optional.empty(), e);
        } catch (Error e) {
            return new Answer(Optional.empty(), new IllegalStateException("writing the results failed: " + e, e));
        }
    }

    private String writeResults() throws Exception {
        if (sinkFailed) {
            sink.open(Optional.of(position));
            sinkFailed = false;
        }
        List<Result<O>> results = new ArrayList<>(current.results().size());
        for (Result<byte[]> result : current.results()) {
            results.add(new Result<>(result.run(), result.ordinal(), result.id(), codec.decode(result.value())));
        }
        sinkFailed = true;
        String written = sink.write(results);
        sinkFailed = false;
        return written;
    }
}
