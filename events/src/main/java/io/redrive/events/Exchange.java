package io.redrive.events;

import java.util.List;

/**
 * What {@link Source#exchange} gave.
 *
 * @param stale the settled claims whose token was stale: nothing was changed for those
 * @param claims what was claimed, request by request
 * @param more true when the store stopped at its limit of events to set aside: there may be more to claim
 */
public record Exchange(List<Claim> stale, List<Claim> claims, boolean more) {

    /** An exchange that looked at everything there was to claim. */
    public Exchange(List<Claim> stale, List<Claim> claims) {
        this(stale, claims, false);
    }
}
