package io.redrive.cli;

import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;

/** From what {@code --store} says, a file or a JDBC URL, to a store. */
interface StoreOpener {

    /** The store at {@code address}; where there is none that is a {@link CommandFailed}, and none is made. */
    EventStore open(String address);

    /** The store at {@code address}, a new one when there is none. */
    EventStore create(String address);

    /** The runs in the store at {@code address}; where there is none that is a {@link CommandFailed}, and none is made. */
    RunStore openRuns(String address);

    /** The runs in the store at {@code address}, a new one when there is none. */
    RunStore createRuns(String address);
}
