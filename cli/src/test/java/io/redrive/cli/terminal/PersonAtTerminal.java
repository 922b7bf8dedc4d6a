package io.redrive.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A person with the same answer to every question and the same text for every file. */
public class PersonAtTerminal implements Terminal {

    public final List<String> asked = new ArrayList<>();
    private final int columns;
    private final String answer;
    private final String edited;

    public PersonAtTerminal(int columns, String answer, String edited) {
        this.columns = columns;
        this.answer = answer;
        this.edited = edited;
    }

    @Override
    public boolean isInteractive() {
        return true;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public int rows() {
        return 24;
    }

    @Override
    public String ask(String question) {
        asked.add(question);
        return answer;
    }

    @Override
    public boolean edit(Path file) throws IOException {
        asked.add(Files.readString(file));
        Files.writeString(file, edited);
        return true;
    }
}
