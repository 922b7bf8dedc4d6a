package io.redrive.items.run;

/** The store took the lease of this process away: other processes may have its samples. */
final class StaleLease extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleLease() {
        super("the lease was taken away");
    }
}
