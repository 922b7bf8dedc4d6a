package io.redrive.testkit;

import java.time.Duration;

/**
 * The contract of an event store's journal and of looking at unfinished events. {@code newStore} opens stores whose journal
 * has a retention of {@link #RETENTION}. Extend it like {@link EventStoreContract}.
 */
public abstract class JournalContract extends StoreFixture
        implements FinishedEventsContract, UnfinishedEventsContract, OvertakenLettersContract, JournalFaultContract {

    /** The retention of the stores under test. */
    public static final Duration RETENTION = Duration.ofHours(24);
}
