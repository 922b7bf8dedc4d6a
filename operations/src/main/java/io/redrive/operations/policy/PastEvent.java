package io.redrive.operations.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An event whose handler failed, since its last redrive, as letters and the journal remember it.
 *
 * @param id the event's id
 * @param name the event's name
 * @param letter the id of the dead letter; empty for an event that was done
 * @param failures the failed attempts, oldest first; at least one
 * @param deadline the event's deadline, where it is known
 * @param done when the attempt after the failures began, which succeeded; empty for an event that was given up
 */
public record PastEvent(
        String id,
        String name,
        OptionalLong letter,
        List<Failed> failures,
        Optional<Instant> deadline,
        Optional<Instant> done) {

    /**
     * A failed attempt.
     *
     * @param at when the attempt began
     * @param took how long the handler ran
     * @param errorType the short type of the failure
     */
    public record Failed(Instant at, Duration took, String errorType) {

        /** Checks the type and the time, which imported letters may lack. */
        public Failed {
            took = took.isNegative() ? Duration.ZERO : took;
            errorType = errorType.isBlank() ? "unknown" : errorType;
        }

        Instant end() {
            return at.plus(took);
        }
    }

    /** Copies the failures. */
    public PastEvent {
        failures = List.copyOf(failures);
        if (failures.isEmpty()) {
            throw new IllegalArgumentException("failures must not be empty: event '" + id + "' never failed");
        }
    }

    /** Returns true for a saved event: a retry succeeded. */
    public boolean isSaved() {
        return done.isPresent();
    }

    /** Returns the recorded time between attempts, until the attempt that succeeded or the last failure. */
    Duration waited() {
        Duration waited = Duration.ZERO;
        for (int i = 0; i < failures.size(); i++) {
            Optional<Instant> next =
                    i + 1 < failures.size() ? Optional.of(failures.get(i + 1).at()) : done;
            Instant end = failures.get(i).end();
            waited = waited.plus(next.filter(begin -> begin.isAfter(end))
                    .map(begin -> Duration.between(end, begin))
                    .orElse(Duration.ZERO));
        }
        return waited;
    }
}
