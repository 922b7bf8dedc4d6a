package io.redrive.events;

/** A redrive operation cannot be started or changed as asked; the message says why and what to do instead. */
public final class RedriveRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String operation;

    /**
     * Creates the exception.
     *
     * @param operation the id of the operation that stands in the way, or that was to be changed
     * @param message the reason and the remedy
     */
    public RedriveRefusedException(String operation, String message) {
        super(message);
        this.operation = operation;
    }

    /** Returns the refusal of a preview: a letter is pending in an operation that is running or paused. */
    public static RedriveRefusedException pending(long letter, RedriveOperation other) {
        return new RedriveRefusedException(
                other.id(), "letter " + letter + " is pending in " + named(other) + "; wait for its end, or cancel it");
    }

    /** Returns the refusal of a start: another operation was started since the preview. */
    public static RedriveRefusedException startedMeanwhile(RedriveOperation other) {
        return new RedriveRefusedException(
                other.id(), "since this preview, " + named(other) + " was started on the same cause; preview anew");
    }

    /** Returns the refusal of a start while too many operations are active. */
    public static RedriveRefusedException tooMany(String operation) {
        return new RedriveRefusedException(
                operation,
                "at most " + Redrives.MAX_ACTIVE + " operations may be running or paused; operation " + operation
                        + " was not started; wait for the end of one, or cancel one");
    }

    /** Returns the refusal of a change of an operation that does not exist. */
    public static RedriveRefusedException missing(String operation) {
        return new RedriveRefusedException(
                operation,
                "no redrive operation has the id " + Texts.shown(operation) + "; it may have been dismissed");
    }

    private static String named(RedriveOperation operation) {
        OperatorCommand command = operation.command();
        String origin = command.origin().isEmpty() ? "" : " (" + command.origin() + ")";
        return "operation " + operation.id() + " of " + command.operator() + origin + ", "
                + operation.state().code();
    }

    /** Returns the id of the operation that stands in the way, or that was to be changed. */
    public String operation() {
        return operation;
    }
}
