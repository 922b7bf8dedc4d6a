package io.redrive.operations;

import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseStatus;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Selects causes by their state and owner.
 *
 * @param states the wanted states
 * @param owner the wanted owner; empty for any owner and none
 */
public record CauseFilter(Set<CauseStatus> states, Optional<String> owner) {

    /** Selects every cause. */
    public static final CauseFilter ALL = new CauseFilter(EnumSet.allOf(CauseStatus.class), Optional.empty());

    /**
     * Copies the states.
     *
     * @throws IllegalArgumentException when no state is wanted, or the owner has no name
     */
    public CauseFilter {
        states = Set.copyOf(states);
        if (states.isEmpty()) {
            throw new IllegalArgumentException("states must have at least one state, got none");
        }
        if (owner.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("owner must be a name, got a blank text; leave the owner out for any");
        }
    }

    /** Returns true when every selected cause has been assigned, resolved or ignored by an operator. */
    boolean isTended() {
        return owner.isPresent() || !states.contains(CauseStatus.OPEN);
    }

    /** Returns true when the filter selects this cause. */
    public boolean matches(Cause cause, Instant now) {
        return states.contains(cause.status(now))
                && owner.map(name -> name.equals(cause.care().owner())).orElse(true);
    }
}
