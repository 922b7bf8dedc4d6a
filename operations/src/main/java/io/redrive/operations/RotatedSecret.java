package io.redrive.operations;

import java.time.Instant;
import java.util.Optional;

/**
 * The new secret of a route, shown once.
 *
 * @param route the name of the route
 * @param receiverText what the receiver needs: the secret {@code whsec_…}, or the public key {@code whpk_…}
 * @param formerUntil until when the former secret signs too; empty when it stopped at once
 */
public record RotatedSecret(String route, String receiverText, Optional<Instant> formerUntil) {

    /** Hides a secret; a public key is shown. */
    @Override
    public String toString() {
        return route + " " + (receiverText.startsWith("whpk_") ? receiverText : "(hidden)")
                + formerUntil.map(until -> ", the former until " + until).orElse("");
    }
}
