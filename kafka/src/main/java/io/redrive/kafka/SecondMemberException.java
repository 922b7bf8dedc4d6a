package io.redrive.kafka;

/** The group has a second member, above a store that keeps the failures of a single process. */
final class SecondMemberException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SecondMemberException(String message) {
        super(message);
    }
}
