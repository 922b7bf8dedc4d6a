package io.redrive.testkit;

/**
 * The contract of an event store's redrive operations: the frozen selection, the turns of a running operation with its
 * rate, stages and results, and the changes by operators. A failing call, a crash between any two calls or two nodes at
 * once redrive no letter twice and lose none. Extend it like {@link EventStoreContract}.
 */
public abstract class RedrivesContract extends StoreFixture
        implements RedriveSelectionContract, RedriveTurnContract, RedriveChangeContract, RedriveFaultContract {}
