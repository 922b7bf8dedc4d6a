package io.redrive.events;

import java.util.Set;

/**
 * How a redriven batch stands.
 *
 * @param pending events that are still ready, delayed or claimed
 * @param deadAgain events that became dead letters again
 * @param fingerprints the causes of {@code deadAgain}
 */
public record RedriveProgress(long pending, long deadAgain, Set<String> fingerprints) {}
