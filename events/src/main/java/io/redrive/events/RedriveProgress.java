package io.redrive.events;

import java.util.Set;

/**
 * What became of a redriven batch so far.
 *
 * @param pending still ready, delayed or claimed
 * @param deadAgain became dead letters again
 * @param fingerprints the causes of those
 */
public record RedriveProgress(long pending, long deadAgain, Set<String> fingerprints) {}
