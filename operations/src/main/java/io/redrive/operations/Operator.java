package io.redrive.operations;

import io.redrive.events.OperatorCommand;
import java.util.Objects;

/**
 * The person or program that gives commands.
 *
 * @param name the name in the record of actions; 1 to 200 characters
 * @param role what the operator is allowed to do
 * @param origin the program, host and account that the commands come from; empty when unknown
 */
public record Operator(String name, Role role, String origin) {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException when a store cannot keep the name
     */
    public Operator {
        // The record of actions keeps the name, so the rule of the record decides.
        OperatorCommand kept = OperatorCommand.by(name).from(origin);
        origin = kept.origin();
        Objects.requireNonNull(role, "role");
    }

    /** Returns an operator of unknown origin. */
    public static Operator named(String name, Role role) {
        return new Operator(name, role, "");
    }
}
