package io.redrive.operations;

import io.redrive.events.NamePattern;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What an admin may know and do about the tokens of callers. Thread-safe. */
public interface TokenOperations {

    /** The most tokens of a store: nodes read all shared notes about once a second. */
    int MAX_TOKENS = 200;

    /** Returns the tokens, the oldest first, also expired ones. */
    List<AccessToken> list();

    /**
     * Makes a token. The text of the token is in the result, and nowhere else.
     *
     * @param name the name in the record of actions of commands with this token; up to 100 characters of one line
     * @param names the event names that a publisher's token may publish; empty for all names
     * @param lifetime when the token ends; empty for no end
     * @throws IllegalArgumentException for a bad name or lifetime, for names with a role other than publisher, or when there are
     *     {@value #MAX_TOKENS} tokens
     */
    NewToken create(String name, Role role, List<NamePattern> names, Optional<Duration> lifetime);

    /**
     * Ends a token. Servers refuse the token after a second.
     *
     * @return the token; empty when no token has this prefix
     */
    Optional<AccessToken> revoke(String prefix);
}
