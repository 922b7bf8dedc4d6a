package io.redrive.operations;

import io.redrive.events.NamePattern;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A credential of a program or a person, without its secret. The store keeps a hash of the secret only.
 *
 * @param prefix the public beginning of the token, by which operators name the token
 * @param name the name of the operator that the token stands for
 * @param role what the token allows
 * @param names the event names that the token may publish; empty for all names
 * @param createdBy the operator that made the token
 * @param created when the token was made
 * @param expires when the token ends; empty for no end
 * @param lastUsed when the token was last used, to within ten minutes; empty when unused
 */
public record AccessToken(
        String prefix,
        String name,
        Role role,
        List<NamePattern> names,
        String createdBy,
        Instant created,
        Optional<Instant> expires,
        Optional<Instant> lastUsed) {

    /** The most patterns of a token. */
    public static final int MAX_NAMES = 20;

    /** Copies the patterns. */
    public AccessToken {
        names = List.copyOf(names);
    }

    /** Returns true when the token has ended. */
    public boolean isExpired(Instant now) {
        return expires.filter(end -> !now.isBefore(end)).isPresent();
    }

    /** Returns true when the token may publish events of this name. */
    public boolean mayPublish(String eventName) {
        return names.isEmpty() || names.stream().anyMatch(pattern -> pattern.matches(eventName));
    }
}
