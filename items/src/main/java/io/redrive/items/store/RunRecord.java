package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run as a store keeps it.
 *
 * @param definition the identity of the run
 * @param status the status of the run
 * @param totals the counts of samples
 * @param fingerprint a hash over the samples taken so far, to detect a source that has changed
 * @param created when the run began
 * @param updated when the run last changed
 * @param ended when the run last stopped running; null while the run is running
 * @param worked how long the run had at least one process, up to the last commit; the time between a stop or crash and the
 *     resume does not count
 * @param crashes processes that died since the run last stopped running
 * @param workers the number of leases; the lease of a dead process may remain until another process joins or extends
 * @param unclaimed samples that are due and not claimed, counted up to {@link #MOST_UNCLAIMED} and only when several processes
 *     work on the run
 * @param reader the token of the process that reads the source; 0 for no process
 * @param pauses the remaining pauses by stage name, for the processes that work on the run
 */
public record RunRecord(
        RunDefinition definition,
        RunStatus status,
        Totals totals,
        long fingerprint,
        Instant created,
        Instant updated,
        @Nullable Instant ended,
        Duration worked,
        int crashes,
        int workers,
        int unclaimed,
        long reader,
        Map<String, Duration> pauses) {

    /** The maximum of {@link #unclaimed}. */
    public static final int MOST_UNCLAIMED = 1_000;

    /** Keeps a copy of the pauses. */
    public RunRecord {
        pauses = Map.copyOf(pauses);
    }

    /** Returns the id of the run. */
    public String id() {
        return definition.id();
    }

    /** Returns the name of the pipeline. */
    public String pipeline() {
        return definition.pipeline();
    }

    /** Returns the balance, which accounts for every sample. */
    public Balance balance() {
        return totals.balance();
    }

    /** Returns this run with the status {@link RunStatus#INTERRUPTED}, for a running run whose leases have all expired. */
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

    /** Returns when the run last stopped running; empty while the run is running. */
    public Optional<Instant> endedAt() {
        return Optional.ofNullable(ended);
    }
}
