package io.redrive.testkit;

/** Opens run stores for the parts of a contract. */
interface RunStoreUnderTest {

    /** A new, empty store and a clock that stands still. */
    RunDriver open();

    /** The data of this driver, opened after a crash. */
    RunDriver reopened(RunDriver driver);
}
