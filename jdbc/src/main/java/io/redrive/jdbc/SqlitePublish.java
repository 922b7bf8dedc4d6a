package io.redrive.jdbc;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Publishes: first inserts the keys, which tells duplicates, then the events with new keys, of which some are claimed at once. */
final class SqlitePublish {

    private static final int FORGOTTEN_PER_STEP = 1_000;

    private final SqliteOptions options;

    SqlitePublish(SqliteOptions options) {
        this.options = options;
    }

    PublishedEvents publish(SqliteSession session, List<Event> events, ImmediateClaim claim, Instant now)
            throws SQLException {
        if (events.isEmpty()) {
            return new PublishedEvents(List.of(), List.of());
        }
        Instant at = Micros.toInstant(Micros.of(now));
        long[] positions = new long[events.size()];
        int[] isNew = rememberKeys(session, events, positions, now);
        List<PublishResult> results = new ArrayList<>(events.size());
        List<Claim> claims = new ArrayList<>();
        PreparedStatement insert = session.prepare(SqliteSql.PUBLISH);
        for (int i = 0; i < isNew.length; i++) {
            Event event = events.get(i);
            if (isNew[i] != 1) {
                results.add(LetterReads.duplicate(session, event));
                continue;
            }
            results.add(PublishResult.ACCEPTED);
            if (claim.includes(i, event, at)) {
                long token =
                        claims.isEmpty() ? session.nextToken() : claims.get(0).token();
                claims.add(new Claim(event, positions[i], token, Attempts.NONE, at, Duration.ZERO, 0));
            } else {
                bind(insert, positions[i], event);
                insert.addBatch();
            }
        }
        insert.executeBatch();
        if (!claims.isEmpty()) {
            insertClaimed(session, claims, claim, at);
        }
        return new PublishedEvents(results, claims);
    }

    private static void insertClaimed(SqliteSession session, List<Claim> claims, ImmediateClaim claim, Instant now)
            throws SQLException {
        PreparedStatement insert = session.prepare(SqliteSql.PUBLISH_CLAIMED);
        for (Claim each : claims) {
            bind(insert, each.position(), each.event());
            insert.setLong(14, each.token());
            insert.setLong(15, Micros.of(now));
            insert.addBatch();
        }
        insert.executeBatch();
        SqliteClaims.grantLease(session, claims, claim.node(), claim.lease(), now);
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
