package io.redrive.testkit;

/**
 * The contract of an event store: publishing, claiming (also while publishing), setting aside, scheduling, ordering, settling, exchanging,
 * leases, statistics, shared notes, activity, samples of handled events, proposals, adoptions and notes of letters. A failing call or a crash at any moment loses no event, and random uses get the
 * answers of a simple model. Extend it to test a store:
 *
 * <pre>{@code
 * final class SqliteEventStoreTest extends EventStoreContract {
 *     protected EventStore newStore(Path dir, ManualTime time) { ... }
 *     protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) { ... }
 * }
 * }</pre>
 */
public abstract class EventStoreContract extends StoreFixture
        implements PublishContract,
                ImmediateClaimContract,
                ClaimContract,
                SetAsideContract,
                ExcludedNamesContract,
                ScheduledContract,
                OrderingContract,
                SettleContract,
                ExchangeContract,
                LeaseContract,
                StatsContract,
                NotesContract,
                ActivityContract,
                HandledSampleContract,
                ProposalContract,
                AdoptionContract,
                AdoptedLaneContract,
                BookmarksContract,
                LetterOutboxContract,
                FaultContract,
                StoreRandomContract {}
