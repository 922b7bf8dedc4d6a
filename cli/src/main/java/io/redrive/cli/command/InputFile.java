package io.redrive.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file named on the command line; {@code -} is standard input. */
public record InputFile(String name) {

    public boolean isStandardInput() {
        return name.equals("-");
    }

    /** Reads the whole file, or the whole standard input. */
    public byte[] bytes(InputStream standardInput) throws IOException {
        try {
            return isStandardInput() ? standardInput.readAllBytes() : Files.readAllBytes(Path.of(name));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the file must exist, got '" + name + "'", e);
        }
    }

    /** Returns the name for messages. */
    @Override
    public String toString() {
        return isStandardInput() ? "standard input" : name;
    }
}
