package io.redrive.testkit;

/**
 * The contract of a run store: commits, leases, the archive, and the numbers of reports. A failing call or a crash at
 * any moment leaves the output of a run unchanged, for a prepared run and for random ones. Extend it to test a store:
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
