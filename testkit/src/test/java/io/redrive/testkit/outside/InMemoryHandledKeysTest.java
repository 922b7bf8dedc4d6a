package io.redrive.testkit.outside;

import io.redrive.events.HandledKeys;
import io.redrive.testkit.HandledKeysContract;
import java.nio.file.Path;

/** The contract of handled keys, in memory. */
final class InMemoryHandledKeysTest extends HandledKeysContract {

    @Override
    protected HandledKeys create(Path folder) {
        return HandledKeys.inMemory();
    }

    @Override
    protected HandledKeys join(HandledKeys created, Path folder) {
        return created;
    }
}
