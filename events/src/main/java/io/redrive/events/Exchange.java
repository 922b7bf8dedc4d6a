package io.redrive.events;

import java.util.List;

/**
 * The result of {@link Source#exchange}.
 *
 * @param stale the settled claims whose token was stale; the store changed nothing for them
 * @param claims the new claims, request by request
 * @param more true when the store stopped at its limit of events to set aside and may have more events to claim
 */
public record Exchange(List<Claim> stale, List<Claim> claims, boolean more) {

    /** Creates an exchange that looked at every event to claim. */
    public Exchange(List<Claim> stale, List<Claim> claims) {
        this(stale, claims, false);
    }
}
