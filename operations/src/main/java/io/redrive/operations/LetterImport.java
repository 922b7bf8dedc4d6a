package io.redrive.operations;

import io.redrive.events.DeadLetter;
import java.util.List;

/** An import of dead letters, page by page. Not thread-safe. */
public interface LetterImport {

    /** Imports letters in one transaction. A letter whose event is a letter of the store already is skipped. */
    void add(List<DeadLetter> letters);

    /** Returns the number of letters given to {@link #add} so far. */
    long offered();

    /** Returns the number of letters imported so far. */
    long taken();
}
