package io.redrive.testkit.outside;

import io.redrive.core.ManualTime;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The contract of run stores, in memory, from outside the package, as a user extends it. */
final class InMemoryRunStoreContractTest extends RunStoreContract {

    /** A field, because a logger without a reference loses its level. Off: the failures are intended. */
    private static final Logger LOG = Logger.getLogger("io.redrive.items");

    static {
        LOG.setLevel(Level.OFF);
    }

    @Override
    protected RunStore newStore(Path dir, ManualTime time) {
        return new InMemoryRunStore();
    }

    @Override
    protected RunStore reopenAfterCrash(RunStore crashed, Path dir, ManualTime time) {
        return crashed;
    }

    @Override
    public int randomRuns() {
        return 300;
    }
}
