package io.redrive.pipeline;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The progress of one batch, whose events may run on several workers: listeners are told when the first event begins
 * and when the last event has ended. Thread-safe.
 */
final class BatchProgress {

    private final Batch batch;
    private final int losses;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicInteger open;
    private volatile long began;
    private final List<String> failed = new ArrayList<>();
    private PipelineListener.BatchOutcome worst = PipelineListener.BatchOutcome.STOP;
    private String errorType = "";
    private String message = "";

    /** @param losses how often the hold on claims had been lost when the batch left the batcher */
    BatchProgress(Batch batch, int losses) {
        this.batch = batch;
        this.losses = losses;
        open = new AtomicInteger(batch.claims().size());
    }

    int losses() {
        return losses;
    }

    /** Returns the name of the first event; a batch has the events of one handler, which may have several names. */
    String name() {
        return batch.claims().get(0).event().name();
    }

    Handlers.Registration handler() {
        return batch.key().handler();
    }

    /** Notes that an event begins. Returns true for the first event of the batch. */
    boolean begins() {
        return !begun.get() && begun.compareAndSet(false, true);
    }

    /**
     * Notes that {@code events} have ended or were taken back. Returns true when none is left and the batch had begun.
     */
    boolean ends(int events) {
        return open.addAndGet(-events) == 0 && begun.get();
    }

    /** Notes a failed event. The announced cause is the first of the worst outcome. */
    synchronized void failed(Claim claim, PipelineListener.BatchOutcome outcome, AttemptRecord line) {
        if (failed.size() < PipelineListener.MAX_IDS) {
            failed.add(claim.event().id());
        }
        if (outcome.compareTo(worst) > 0) {
            worst = outcome;
            errorType = line.errorType();
            message = line.summary();
        }
    }

    PipelineListener.Batched start(long nanos, Instant at) {
        began = nanos;
        return new PipelineListener.Batched(
                batch.lane(),
                PipelineListener.BatchOutcome.START,
                batch.claims().size(),
                Duration.ZERO,
                List.of(),
                "",
                "",
                at);
    }

    synchronized PipelineListener.Batched end(long nanos, Instant at) {
        return new PipelineListener.Batched(
                batch.lane(),
                worst,
                batch.claims().size(),
                Duration.ofNanos(nanos - began),
                List.copyOf(failed),
                errorType,
                message,
                at);
    }
}
