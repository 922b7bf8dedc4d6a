package io.redrive.cli.terminal;

import java.nio.file.Path;

/** Output to a file or to a program, as in a script. */
public final class NoTerminal implements Terminal {

    @Override
    public boolean isInteractive() {
        return false;
    }

    @Override
    public int columns() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int rows() {
        return Integer.MAX_VALUE;
    }

    @Override
    public String ask(String question) {
        throw new AssertionError("nobody is there to answer: " + question);
    }

    @Override
    public boolean edit(Path file) {
        throw new AssertionError("nobody is there to edit " + file);
    }
}
