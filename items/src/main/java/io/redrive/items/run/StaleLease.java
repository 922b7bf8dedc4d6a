package io.redrive.items.run;

/** Others have taken over what a coordinator had. */
final class StaleLease extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleLease() {
        super("the lease was taken away");
    }
}
