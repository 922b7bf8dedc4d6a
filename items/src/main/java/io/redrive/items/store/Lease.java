package io.redrive.items.store;

/**
 * The right of one process to work on a run, until the process leaves or the lease expires.
 *
 * @param run the id of the run
 * @param token a number higher than all tokens before; a store refuses commits with the token of a lease that has ended
 */
public record Lease(String run, long token) {}
