package io.redrive.cli;

/** Ends a command with exit code 1; its message is all that is printed. */
final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandFailed(String message) {
        super(message);
    }

    CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
