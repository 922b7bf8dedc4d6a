package io.redrive.server.access;

import io.redrive.operations.AccessToken;
import io.redrive.operations.Operator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The person or program that sent a request.
 *
 * @param operator the name in the record of actions, and the role
 * @param token the token of the request; empty for a password, or without auth
 */
public record Caller(Operator operator, Optional<AccessToken> token) {

    static final String ATTRIBUTE = Caller.class.getName();

    /**
     * Returns the caller of a request.
     *
     * @throws IllegalStateException for a request to a path that is open to everybody
     */
    public static Caller of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
            return caller;
        }
        throw new IllegalStateException("the request has no caller: " + request.getMethod());
    }

    /** Returns true when the caller may publish events of this name; the role is checked elsewhere. */
    public boolean mayPublish(String eventName) {
        return token.map(known -> known.mayPublish(eventName)).orElse(true);
    }
}
