package io.redrive.testkit;

/**
 * What the dead letters of every event store promise: looking (list, filter, group, find), mending (edit), bringing back
 * (redrive, each letter once), removing and moving (purge, export, import), and the record of it all. Extend it like
 * {@link EventStoreContract}.
 */
public abstract class DeadLettersContract extends StoreFixture
        implements LetterSearchContract, LetterRedriveContract, LetterCareContract {}
