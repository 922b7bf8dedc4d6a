package io.redrive.items.store;

import java.time.Instant;

/**
 * A process that works on a run.
 *
 * @param lease the lease of the process
 * @param node the name of the process
 * @param until when the lease expires, unless extended
 */
public record WorkerRecord(Lease lease, String node, Instant until) {}
