package io.redrive.testkit;

/**
 * The contract of an event store's dead letters: reading (list, filter, also by fields of payloads, count, group, find), editing, versions, redacted letters, redriving (each letter
 * once), purging, exporting and importing, causes, and the record of operator actions. Extend it like {@link
 * EventStoreContract}.
 */
public abstract class DeadLettersContract extends StoreFixture
        implements LetterSearchContract,
                LetterPayloadContract,
                LetterCountContract,
                LetterRedriveContract,
                LetterCareContract,
                LetterVersionContract,
                RedactedLetterContract,
                LetterRetirementContract,
                CauseContract,
                CauseListContract,
                CauseFaultContract {}
