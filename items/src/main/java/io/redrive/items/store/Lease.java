package io.redrive.items.store;

/**
 * The right of one process to work on a run, until it leaves or is taken for dead.
 *
 * @param run the run's id
 * @param token higher than all before; a store refuses commits with one that was taken away
 */
public record Lease(String run, long token) {}
