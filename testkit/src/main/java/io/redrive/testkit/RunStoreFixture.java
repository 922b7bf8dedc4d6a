package io.redrive.testkit;

import io.redrive.core.ManualTime;
import io.redrive.items.store.RunStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens the run stores under test and closes them again. A subclass of the contract implements the abstract methods.
 */
abstract class RunStoreFixture implements RunStoreUnderTest {

    @TempDir
    private Path folder;

    private final List<RunStore> opened = new ArrayList<>();
    private int folders;

    /**
     * A new, empty store.
     *
     * @param dir an empty folder for this store alone
     * @param time the clock of the test, which the store must follow
     */
    protected abstract RunStore newStore(Path dir, ManualTime time);

    /** Opens the committed data of a store whose process died. A store in memory returns the same object. */
    protected abstract RunStore reopenAfterCrash(RunStore crashed, Path dir, ManualTime time);

    @Override
    public final RunDriver open() {
        ManualTime time = new ManualTime();
        Path dir = folder.resolve("runs-" + folders++);
        try {
            Files.createDirectories(dir);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RunDriver(kept(newStore(dir, time)), time, dir);
    }

    @Override
    public final RunDriver reopened(RunDriver driver) {
        return driver.on(kept(reopenAfterCrash(driver.store(), driver.dir(), driver.time())));
    }

    private RunStore kept(RunStore store) {
        if (!opened.contains(store)) {
            opened.add(store);
        }
        return store;
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(RunStore::close);
    }
}
