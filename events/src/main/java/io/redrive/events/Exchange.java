package io.redrive.events;

import java.util.List;

/**
 * What {@link Source#exchange} gave.
 *
 * @param stale the settled claims whose token was stale: nothing was changed for those
 * @param claims what was claimed, request by request
 */
public record Exchange(List<Claim> stale, List<Claim> claims) {}
