package io.redrive.testkit;

import io.redrive.events.EventStore;

/** Opens stores for the parts of a contract. */
interface StoreUnderTest {

    /** A new, empty store and a clock that stands still. */
    StoreDriver open();

    /** The store of this driver, opened after a crash. */
    EventStore reopened(StoreDriver driver);

    /** A second object on the data of this driver. */
    EventStore joined(StoreDriver driver);
}
