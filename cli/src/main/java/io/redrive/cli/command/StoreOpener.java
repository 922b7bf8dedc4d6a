package io.redrive.cli.command;

import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;

/** Opens stores by their address, which is the value of {@code --store}. */
public interface StoreOpener {

    /**
     * Opens the event store at {@code address}.
     *
     * @throws CommandFailed when the store does not exist; no store is created
     */
    EventStore open(String address);

    /** Opens the event store at {@code address} with a journal of one day, and creates a missing store. */
    EventStore create(String address);

    /**
     * Opens the run store at {@code address}.
     *
     * @throws CommandFailed when the store does not exist; no store is created
     */
    RunStore openRuns(String address);

    /** Opens the run store at {@code address}, and creates a missing store. */
    RunStore createRuns(String address);
}
