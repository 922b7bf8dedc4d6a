package io.redrive.cli.terminal;

import java.io.IOException;
import java.nio.file.Path;

/** Where a command's output goes: a person at a terminal, a file or another program. */
public interface Terminal {

    /** Returns true when a person reads the output and can answer questions. */
    boolean isInteractive();

    /** Returns the number of characters in a line; {@link Integer#MAX_VALUE} when the terminal is not interactive. */
    int columns();

    /** Returns the number of lines on the screen. */
    int rows();

    /** Asks the person a question and returns the answer, or an empty text when the person gives none. */
    String ask(String question);

    /** Opens the person's editor on a file; returns false when the editor reports a failure. */
    boolean edit(Path file) throws IOException, InterruptedException;
}
