package io.redrive.operations;

/** A proposal does not exist, or its state does not allow the change; the message says why and what to do instead. */
public final class ProposalRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long number;

    /**
     * Creates the exception.
     *
     * @param number the number of the proposal
     * @param message the reason and the remedy
     */
    public ProposalRefusedException(long number, String message) {
        super(message);
        this.number = number;
    }

    static ProposalRefusedException missing(long number) {
        return new ProposalRefusedException(
                number, "no proposal has the number " + number + "; old proposals are forgotten after their decision");
    }

    /** Returns the number of the proposal. */
    public long number() {
        return number;
    }
}
