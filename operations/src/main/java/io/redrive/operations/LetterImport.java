package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.OperatorCommand;
import java.util.List;

/** An import of dead letters, page by page. Not thread-safe. */
public final class LetterImport {

    private final Desk desk;
    private final OperatorCommand command;
    private long offered;
    private long taken;

    LetterImport(Desk desk, OperatorCommand command) {
        this.desk = desk;
        this.command = command;
    }

    /** Imports letters in one transaction. A letter whose event is a letter of the store already is skipped. */
    public void add(List<DeadLetter> letters) {
        taken += desk.store().deadLetters().importLetters(letters, command, desk.now());
        offered += letters.size();
    }

    /** Returns the number of letters given to {@link #add} so far. */
    public long offered() {
        return offered;
    }

    /** Returns the number of letters imported so far. */
    public long taken() {
        return taken;
    }
}
