package io.redrive.kafka;

/** The group has another member, above a store that keeps the failures of one process. */
final class SecondMemberException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SecondMemberException(String message) {
        super(message);
    }
}
