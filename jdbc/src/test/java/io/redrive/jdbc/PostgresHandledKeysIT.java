package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.HandledKeys;
import io.redrive.testkit.HandledKeysContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The contract of handled keys, on a real server. */
final class PostgresHandledKeysIT extends HandledKeysContract {

    private final List<PostgresStore> opened = new ArrayList<>();

    @Override
    protected HandledKeys create(Path folder) {
        return kept(PostgresServer.get().create(folder, new ManualTime()));
    }

    @Override
    protected HandledKeys join(HandledKeys created, Path folder) {
        return kept(PostgresServer.get().open(folder, new ManualTime()));
    }

    private HandledKeys kept(PostgresStore store) {
        opened.add(store);
        return store.handledKeys();
    }

    @AfterEach
    void close() {
        opened.forEach(PostgresStore::close);
    }
}
