package io.redrive.operations.policy;

import java.time.Instant;
import java.util.List;

/**
 * The past events that a replay works on, and how much of the past they are.
 *
 * @param since the beginning of the time that was looked at
 * @param until the end of that time
 * @param letters the number of dead letters that were looked at, the newest
 * @param allLetters true when no further letter of that time exists
 * @param finished the number of finished events that were looked at, those finished last; most of them never failed
 * @param finishedSince how far back the finished events reach; equal to {@code until} when the journal has none
 * @param unreplayable the number of looked-at letters and saved events that no replay can judge: the failure was not retryable, the
 *     event was invalid or killed its process, or its history is not complete
 * @param events the past events to replay
 */
public record FailureSample(
        Instant since,
        Instant until,
        int letters,
        boolean allLetters,
        int finished,
        Instant finishedSince,
        int unreplayable,
        List<PastEvent> events) {

    /** Copies the events. */
    public FailureSample {
        events = List.copyOf(events);
    }

    /** Returns the number of events to replay that were done after a failed attempt. */
    public long saved() {
        return events.stream().filter(PastEvent::isSaved).count();
    }
}
