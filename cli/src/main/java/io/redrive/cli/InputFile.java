package io.redrive.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file named on the command line; {@code -} is standard input. */
record InputFile(String name) {

    boolean isStandardInput() {
        return name.equals("-");
    }

    byte[] bytes(InputStream standardInput) throws IOException {
        try {
            return isStandardInput() ? standardInput.readAllBytes() : Files.readAllBytes(Path.of(name));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file '" + name + "'", e);
        }
    }

    @Override
    public String toString() {
        return isStandardInput() ? "standard input" : name;
    }
}
