package io.redrive.operations;

/** The role of an operator does not include a command. The store was not changed. */
public final class NotPermittedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Verb verb;
    private final Role role;

    NotPermittedException(Operator operator, Verb verb) {
        super(verb.code() + " needs the role " + verb.least().code() + "; '" + operator.name() + "' has the role "
                + operator.role().code());
        this.verb = verb;
        this.role = operator.role();
    }

    /** Returns the refused verb. */
    public Verb verb() {
        return verb;
    }

    /** Returns the role of the operator, which is less than the verb needs. */
    public Role role() {
        return role;
    }
}
