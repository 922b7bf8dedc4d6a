package io.redrive.testkit.outside;

import io.redrive.core.ManualTime;
import io.redrive.items.InMemoryRunStore;
import io.redrive.items.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.nio.file.Path;

/** In a package of its own, as the tests of any other store are. */
final class InMemoryRunStoreContractTest extends RunStoreContract {

    @Override
    protected RunStore newStore(Path dir, ManualTime time) {
        return new InMemoryRunStore();
    }

    @Override
    protected RunStore reopenAfterCrash(RunStore crashed, Path dir, ManualTime time) {
        return crashed;
    }
}
