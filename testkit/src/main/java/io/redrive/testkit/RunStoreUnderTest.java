package io.redrive.testkit;

/** Where the parts of a contract get their run store from. */
interface RunStoreUnderTest {

    /** A new, empty store and a clock that stands still. */
    RunDriver open();

    /** The same data as they are found after a crash. */
    RunDriver reopened(RunDriver driver);
}
