package io.redrive.items;

/** The encoded value of a sample exceeds {@link ItemPipeline#maxPayload}. The sample is dead: a retry would not help. */
public final class PayloadTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Called by a run. */
    public PayloadTooLargeException(String what, int bytes, int limit) {
        super(what + " has " + bytes + " bytes, the limit is " + limit
                + "; make it smaller, keep it elsewhere and pass a reference, or raise maxPayload of the pipeline");
    }
}
