package io.redrive.jdbc;

import io.redrive.events.HandledKeys;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;

/** Handled keys in a table of the file. */
record SqliteHandledKeys(SqliteGroupCommitWriter writer, SqliteReaders readers) implements HandledKeys {

    private static final String SWEEP = HandledKeySql.SWEEP.formatted("");

    @Override
    public boolean contains(String key, Instant now) {
        HandledKeys.require(key);
        return readers.read(session -> {
            PreparedStatement contains = session.prepare(HandledKeySql.CONTAINS);
            contains.setString(1, key);
            contains.setLong(2, Micros.of(now));
            try (ResultSet row = contains.executeQuery()) {
                return row.next();
            }
        });
    }

    @Override
    public void add(String key, Instant until, Instant now) {
        HandledKeys.require(key);
        writer.write(Sync.DURABLE, 0, session -> {
            PreparedStatement add = session.prepare(HandledKeySql.ADD);
            add.setString(1, key);
            add.setLong(2, Micros.of(until));
            add.executeUpdate();
            PreparedStatement sweep = session.prepare(SWEEP);
            sweep.setLong(1, Micros.of(now));
            sweep.setInt(2, SWEPT_AT_ONCE);
            return sweep.executeUpdate();
        });
    }
}
