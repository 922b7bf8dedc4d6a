package io.redrive.testkit;

/**
 * What every event store promises: publishing, claiming, ordering, settling, exchanging, leases, statistics, shared notes, that a call which
 * fails or a process which dies at any moment loses nothing, and that random uses get the answers of a simple model. Extend it to prove a store:
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
                ClaimContract,
                SetAsideContract,
                ScheduledContract,
                OrderingContract,
                SettleContract,
                ExchangeContract,
                LeaseContract,
                StatsContract,
                NotesContract,
                FaultContract,
                StoreRandomContract {}
