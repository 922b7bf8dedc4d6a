package io.redrive.items.store;

import java.time.Instant;

/**
 * A process that works on a run.
 *
 * @param lease its lease
 * @param node its name
 * @param until when it is taken for dead unless it is heard of before
 */
public record WorkerRecord(Lease lease, String node, Instant until) {}
