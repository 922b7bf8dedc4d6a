package io.redrive.testkit;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens the stores under test and closes them again. A subclass of a contract implements the abstract methods. */
abstract class StoreFixture implements StoreUnderTest {

    @TempDir
    private Path folder;

    private final List<EventStore> opened = new ArrayList<>();
    private final List<StoreDriver> drivers = new ArrayList<>();

    /**
     * A new, empty store with the default limits.
     *
     * @param dir an empty folder for this store alone
     * @param time the clock of the test, which the store must follow
     */
    protected abstract EventStore newStore(Path dir, ManualTime time);

    /** Opens the committed data of a store whose process died. A store in memory returns the same object. */
    protected abstract EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time);

    /** Another object on the same data, for a second node; the same object when the store allows no second one. */
    protected EventStore join(EventStore store, Path dir, ManualTime time) {
        return store;
    }

    @Override
    public final StoreDriver open() {
        ManualTime time = new ManualTime();
        Path dir = folder.resolve("store-" + drivers.size());
        try {
            Files.createDirectories(dir);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StoreDriver driver = new StoreDriver(kept(newStore(dir, time)), time, dir);
        drivers.add(driver);
        return driver;
    }

    @Override
    public final EventStore reopened(StoreDriver driver) {
        return kept(reopenAfterCrash(driver.store(), driver.dir(), driver.time()));
    }

    @Override
    public final EventStore joined(StoreDriver driver) {
        return kept(join(driver.store(), driver.dir(), driver.time()));
    }

    private EventStore kept(EventStore store) {
        if (!opened.contains(store)) {
            opened.add(store);
        }
        return store;
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(EventStore::close);
    }
}
