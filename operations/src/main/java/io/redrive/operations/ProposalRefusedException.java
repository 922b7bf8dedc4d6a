package io.redrive.operations;

/** A proposal does not exist, or its state does not allow the change; the message says why and what to do instead. */
public final class ProposalRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long number;
    private final boolean missing;

    private ProposalRefusedException(long number, String message, boolean missing) {
        super(message);
        this.number = number;
        this.missing = missing;
    }

    /**
     * Refuses a change that the state of a proposal does not allow.
     *
     * @param number the number of the proposal
     * @param message the reason and the remedy
     */
    public ProposalRefusedException(long number, String message) {
        this(number, message, false);
    }

    /** Refuses a change of a proposal that does not exist. */
    public static ProposalRefusedException missing(long number) {
        return new ProposalRefusedException(
                number,
                "no proposal has the number " + number + "; old proposals are forgotten after their decision",
                true);
    }

    /** Returns true when no proposal has the number. */
    public boolean isMissing() {
        return missing;
    }

    /** Returns the number of the proposal. */
    public long number() {
        return number;
    }
}
