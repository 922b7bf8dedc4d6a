package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A run as a store keeps it.
 *
 * @param definition what makes it this run
 * @param status how it stands
 * @param totals its counts
 * @param fingerprint of the samples taken so far, to notice a source that changed
 * @param created when it began
 * @param updated when it was last written to
 * @param ended when it got its last status; null while it is running
 * @param worked how long there was a process that worked on it, up to its last commit; the time between a stop or a crash and
 *     the resume does not count
 * @param crashes processes that died since all processes last left it in order
 * @param workers how many processes work on it, as far as the store knows
 * @param unclaimed samples that are ready and that nobody holds, counted no further than {@link #MOST_UNCLAIMED} and only
 *     when several processes work on the run
 * @param reader the token of the process that reads the source; 0 when there is none
 * @param pauses for how much longer a server asked that a stage not be called, by the stage's name; told to processes that
 *     work on the run
 */
public record RunRecord(
        RunDefinition definition,
        RunStatus status,
        Totals totals,
        long fingerprint,
        Instant created,
        Instant updated,
        Instant ended,
        Duration worked,
        int crashes,
        int workers,
        int unclaimed,
        long reader,
        Map<String, Duration> pauses) {

    /** How far {@link #unclaimed} is counted. */
    public static final int MOST_UNCLAIMED = 1_000;

    /** Keeps a copy of the pauses. */
    public RunRecord {
        pauses = Map.copyOf(pauses);
    }

    /** The run's id. */
    public String id() {
        return definition.id();
    }

    /** The pipeline's name. */
    public String pipeline() {
        return definition.pipeline();
    }

    /** Every sample, accounted for. */
    public Balance balance() {
        return totals.balance();
    }

    /** The same run, as it is shown once the leases of all its processes have run out. */
    public RunRecord interrupted() {
        return new RunRecord(
                definition,
                RunStatus.INTERRUPTED,
                totals,
                fingerprint,
                created,
                updated,
                ended,
                worked,
                crashes,
                workers,
                unclaimed,
                reader,
                pauses);
    }

    /** When it got its last status; empty while it is running. */
    public Optional<Instant> endedAt() {
        return Optional.ofNullable(ended);
    }
}
