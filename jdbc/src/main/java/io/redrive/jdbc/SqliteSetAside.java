package io.redrive.jdbc;

import io.redrive.events.ClaimRequest;
import io.redrive.events.NamePattern;
import io.redrive.events.SetAside;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events set aside, during one exchange: those that the exchange finds and no request of it accepts, and those of earlier
 * exchanges that a request accepts. Names are found by jumping from one to the next in the index, so the number of events of
 * a name does not matter, and names that no request accepts are not looked at.
 */
final class SqliteSetAside {

    /** Events that one exchange sets aside at most: others wait for the writer meanwhile. */
    private static final int MAX_MOVED = 2_000;
    /** Names that one look considers at most. */
    private static final int MAX_NAMES = 1_000;

    private final SqliteSession session;
    private final List<Long> refused = new ArrayList<>();
    private int moved;
    private boolean looked;
    private boolean any;

    SqliteSetAside(SqliteSession session) {
        this.session = session;
    }

    /** A place in the order of claiming. */
    record QueueEntry(long dueAt, long seq) implements Comparable<QueueEntry> {
        @Override
        public int compareTo(QueueEntry other) {
            return dueAt == other.dueAt ? Long.compare(seq, other.seq) : Long.compare(dueAt, other.dueAt);
        }
    }

    /** Notes an event that the request does not accept. */
    void add(QueueEntry place) {
        refused.add(place.seq());
    }

    /** Sets aside what was noted. */
    void put() throws SQLException {
        if (!refused.isEmpty()) {
            PreparedStatement put = session.prepare(SqliteSql.SET_ASIDE);
            put.setString(1, refused.toString());
            put.executeUpdate();
            moved += refused.size();
            refused.clear();
            looked = true;
            any = true;
        }
    }

    /** True when this exchange sets no more events aside. */
    boolean isFull() {
        return moved >= MAX_MOVED;
    }

    /** The oldest events of a queue that the request accepts, oldest first. */
    Deque<QueueEntry> places(int queue, ClaimRequest request, long dueBy, int limit) throws SQLException {
        List<QueueEntry> places = new ArrayList<>();
        if (any()) {
            for (String name : acceptedNames(queue, request)) {
                PreparedStatement oldest = session.prepare(SqliteSql.ASIDE_PLACES);
                oldest.setInt(1, queue);
                oldest.setString(2, name);
                oldest.setLong(3, dueBy);
                oldest.setInt(4, limit);
                try (ResultSet row = oldest.executeQuery()) {
                    while (row.next()) {
                        places.add(new QueueEntry(row.getLong(1), row.getLong(2)));
                    }
                }
            }
        }
        places.sort(null);
        return new ArrayDeque<>(places.subList(0, Math.min(limit, places.size())));
    }

    private boolean any() throws SQLException {
        if (!looked) {
            try (ResultSet row = session.prepare(SqliteSql.HAS_ASIDE).executeQuery()) {
                any = row.next();
            }
            looked = true;
        }
        return any;
    }

    private List<String> acceptedNames(int queue, ClaimRequest request) throws SQLException {
        List<String> names = new ArrayList<>();
        for (NamePattern pattern : request.filter().accepted()) {
            String name = nextName(session, queue, pattern.lowest(), pattern.beyond());
            while (name != null && names.size() < MAX_NAMES) {
                if (request.filter().accepts(name)) {
                    names.add(name);
                }
                name = nextName(session, queue, new NamePattern(name).beyond(), pattern.beyond());
            }
        }
        return names;
    }

    /** All names of events that are set aside, and how long the oldest of each has been due. */
    static List<SetAside> names(SqliteSession session, int limit, Instant now) throws SQLException {
        Map<String, Long> oldest = new TreeMap<>();
        NamePattern every = new NamePattern("*");
        for (int queue = 0; queue <= QueueNumbers.SUSPECT; queue++) {
            String name = nextName(session, queue, every.lowest(), every.beyond());
            for (int seen = 0; name != null && seen < limit; seen++) {
                PreparedStatement first = session.prepare(SqliteSql.ASIDE_PLACES);
                first.setInt(1, queue);
                first.setString(2, name);
                first.setLong(3, Long.MAX_VALUE);
                first.setInt(4, 1);
                try (ResultSet row = first.executeQuery()) {
                    row.next();
                    oldest.merge(name, row.getLong(1), Math::min);
                }
                name = nextName(session, queue, new NamePattern(name).beyond(), every.beyond());
            }
        }
        long at = Micros.of(now);
        return oldest.entrySet().stream()
                .limit(limit)
                .map(named -> new SetAside(
                        named.getKey(), Duration.between(Micros.toInstant(Math.min(at, named.getValue())), now)))
                .toList();
    }

    private static @Nullable String nextName(SqliteSession session, int queue, String from, String beyond)
            throws SQLException {
        PreparedStatement next = session.prepare(SqliteSql.NEXT_ASIDE_NAME);
        next.setInt(1, queue);
        next.setString(2, from);
        next.setString(3, beyond);
        try (ResultSet row = next.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }
}
