package io.redrive.operations;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What an operator is allowed to do. A publisher only publishes; each further role includes the roles from viewer on. */
public enum Role {
    /** Publishes events and sees nothing: the role of a program. */
    PUBLISHER,
    /** Reads everything and changes nothing. */
    VIEWER,
    /** Also asks for changes with proposals, which a person approves: the role of a program with a language model. */
    ASSISTANT,
    /** Also changes what can be changed back: publishes, edits, redrives, pauses. */
    OPERATOR,
    /** Also deletes for good. */
    ADMIN;

    /**
     * Returns the role with this code.
     *
     * @throws IllegalArgumentException when no role has this code
     */
    public static Role of(String code) {
        return Arrays.stream(values())
                .filter(role -> role.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("role must be one of "
                        + Arrays.stream(values()).map(Role::code).collect(Collectors.joining(", ")) + "; got '" + code
                        + "'"));
    }

    /** Returns the name in texts and settings: {@code publisher}, {@code viewer}, {@code assistant}, {@code operator} or {@code admin}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns true when this role allows everything that {@code needed} allows. */
    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** Returns true when an operator with this role may give such a command. */
    public boolean allows(Verb verb) {
        return this == PUBLISHER ? verb == Verb.PUBLISH : includes(verb.least());
    }
}
