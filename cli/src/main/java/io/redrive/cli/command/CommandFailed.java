package io.redrive.cli.command;

/** Ends a command with exit code 1; the user sees the message alone. */
public final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CommandFailed(String message) {
        super(message);
    }

    public CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
