package io.redrive.testkit;

import io.redrive.events.EventStore;

/** Where the parts of a contract get their store from. */
interface StoreUnderTest {

    /** A new, empty store and a clock that stands still. */
    StoreDriver open();

    /** The store of this driver as it is found after a crash. */
    EventStore reopened(StoreDriver driver);

    /** A second object on the data of this driver. */
    EventStore joined(StoreDriver driver);
}
