package io.redrive.jdbc;

import io.redrive.events.HandledKeys;
import io.redrive.testkit.HandledKeysContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The contract of handled keys, on real files. */
final class SqliteHandledKeysTest extends HandledKeysContract {

    private final List<SqliteStore> opened = new ArrayList<>();

    @Override
    protected HandledKeys create(Path folder) {
        return open(folder);
    }

    @Override
    protected HandledKeys join(HandledKeys created, Path folder) {
        return open(folder);
    }

    private HandledKeys open(Path folder) {
        SqliteStore store = SqliteStore.open(SqliteFiles.in(folder));
        opened.add(store);
        return store.handledKeys();
    }

    @AfterEach
    void close() {
        opened.forEach(SqliteStore::close);
    }
}
