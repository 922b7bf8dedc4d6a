package io.redrive.cli;

import io.redrive.events.EventStore;
import java.nio.file.Path;

/** From the file named on the command line to a store. */
interface StoreOpener {

    /** The store in {@code file}; a file that is not there or is no store is a {@link CommandFailed}, not a new store. */
    EventStore open(Path file);

    /** The store in {@code file}, a new one when there is no such file. */
    EventStore create(Path file);
}
