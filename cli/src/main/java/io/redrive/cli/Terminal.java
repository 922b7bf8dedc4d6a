package io.redrive.cli;

import java.io.IOException;
import java.nio.file.Path;

/** Who reads what is printed: a person at a terminal, or a file or program. */
interface Terminal {

    /** True when a person sees the output and can answer. */
    boolean isInteractive();

    /** Characters in a line; as many as one likes when nobody looks. */
    int columns();

    /** Lines on the screen. */
    int rows();

    /** What the person answers; empty when there is none. */
    String ask(String question);

    /** Lets the person edit a file; false when the editor says it failed. */
    boolean edit(Path file) throws IOException, InterruptedException;
}
