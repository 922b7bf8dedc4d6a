package io.redrive.operations;

/** Ends the repair of one letter with a reason. Never leaves this package. */
final class RepairFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RepairFailure(String reason) {
        super(reason, null, false, false);
    }
}
