package io.redrive.testkit;

/**
 * What every run store promises: commits, leases, what people ask of it, and that a call which fails or a process which
 * dies at any moment leaves the output of a run as it would have been, for a run made for that and for random ones. Extend
 * it to prove a store:
 *
 * <pre>{@code
 * final class SqliteRunStoreTest extends RunStoreContract {
 *     protected RunStore newStore(Path dir, ManualTime time) { ... }
 *     protected RunStore reopenAfterCrash(RunStore crashed, Path dir, ManualTime time) { ... }
 * }
 * }</pre>
 */
public abstract class RunStoreContract extends RunStoreFixture
        implements RunCommitContract,
                RunLeaseContract,
                RunArchiveContract,
                RunReportContract,
                RunFaultContract,
                RunRandomContract {}
