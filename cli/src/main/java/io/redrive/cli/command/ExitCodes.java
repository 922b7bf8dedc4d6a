package io.redrive.cli.command;

/** The exit codes that all commands share, as the help shows them. */
public final class ExitCodes {

    public static final String HEADING = "%nExit codes:%n";
    public static final String DONE = "0:done";
    public static final String FAILED = "1:failed: nothing found under that id, or the store cannot be used";
    public static final String WRONG = "2:wrong input; nothing was changed";

    /** Exit code of a command for which no given id exists. */
    public static final int NOT_FOUND = 1;

    private ExitCodes() {}
}
