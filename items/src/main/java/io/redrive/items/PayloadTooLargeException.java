package io.redrive.items;

/** A sample is larger than its pipeline allows; no attempt will make it smaller, so there is no further one. */
public final class PayloadTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Made by a run. */
    public PayloadTooLargeException(String what, int bytes, int limit) {
        super(what + " has " + bytes + " bytes, the limit is " + limit
                + "; make it smaller, keep it elsewhere and pass a reference, or raise maxPayload of the pipeline");
    }
}
