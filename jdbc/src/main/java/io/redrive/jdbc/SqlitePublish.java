package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Publishes: first inserts the keys, which tells duplicates, then the events with new keys. */
final class SqlitePublish {

    private static final int FORGOTTEN_PER_STEP = 1_000;

    private final SqliteOptions options;

    SqlitePublish(SqliteOptions options) {
        this.options = options;
    }

    List<PublishResult> publish(SqliteSession session, List<Event> events, Instant now) throws SQLException {
        if (events.isEmpty()) {
            return List.of();
        }
        long[] positions = new long[events.size()];
        int[] isNew = rememberKeys(session, events, positions, now);
        List<PublishResult> results = new ArrayList<>(events.size());
        PreparedStatement insert = session.prepare(SqliteSql.PUBLISH);
        for (int i = 0; i < isNew.length; i++) {
            if (isNew[i] == 1) {
                bind(insert, positions[i], events.get(i));
                insert.addBatch();
            }
            results.add(isNew[i] == 1 ? PublishResult.ACCEPTED : LetterReads.duplicate(session, events.get(i)));
        }
        insert.executeBatch();
        return results;
    }

    private int[] rememberKeys(SqliteSession session, List<Event> events, long[] positions, Instant now)
            throws SQLException {
        PreparedStatement remember = session.prepare(SqliteSql.REMEMBER_KEY);
        long seen = Micros.of(now);
        long forgotten = Micros.of(now.minus(options.keyRetention()));
        for (int i = 0; i < positions.length; i++) {
            positions[i] = session.nextPosition();
            remember.setLong(1, positions[i]);
            remember.setString(2, events.get(i).id());
            remember.setString(3, EventRows.correlationId(events.get(i)));
            remember.setLong(4, seen);
            remember.setLong(5, forgotten);
            remember.addBatch();
        }
        return remember.executeBatch();
    }

    private static void bind(PreparedStatement insert, long position, Event event) throws SQLException {
        insert.setLong(1, position);
        insert.setLong(2, Micros.of(event.due()));
        insert.setString(3, event.id());
        insert.setString(4, EventRows.correlationId(event));
        insert.setString(5, event.name());
        insert.setString(6, event.source());
        insert.setInt(7, event.priority().ordinal());
        insert.setString(8, event.orderingKey().orElse(null));
        insert.setString(9, event.contentType());
        insert.setString(10, StringMapJson.write(event.headers()));
        insert.setLong(11, Micros.of(event.created()));
        EventRows.bindInstant(insert, 12, event.deadline());
        insert.setBytes(13, event.payload());
    }

    int forgetKeys(SqliteSession session, Instant now) throws SQLException {
        PreparedStatement forget = session.prepare(SqliteSql.FORGET_KEYS);
        forget.setInt(1, FORGOTTEN_PER_STEP);
        forget.setLong(2, Micros.of(now.minus(options.keyRetention())));
        return forget.executeUpdate();
    }
}
