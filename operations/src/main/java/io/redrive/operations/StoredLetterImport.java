package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.OperatorCommand;
import java.util.List;

/** {@link LetterImport} into a store. */
final class StoredLetterImport implements LetterImport {

    private final Desk desk;
    private final OperatorCommand command;
    private long offered;
    private long taken;

    StoredLetterImport(Desk desk, OperatorCommand command) {
        this.desk = desk;
        this.command = command;
    }

    @Override
    public void add(List<DeadLetter> letters) {
        taken += desk.store().deadLetters().importLetters(letters, command, desk.now());
        offered += letters.size();
    }

    @Override
    public long offered() {
        return offered;
    }

    @Override
    public long taken() {
        return taken;
    }
}
