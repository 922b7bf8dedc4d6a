package io.redrive.testkit.outside;

import io.redrive.core.ManualTime;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** In a package of its own, as the tests of any other store are. */
final class InMemoryRunStoreContractTest extends RunStoreContract {

    /** Kept, so that its level is: thousands of lines about failures on purpose help nobody. */
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
