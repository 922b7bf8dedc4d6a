package io.redrive.jdbc;

import io.redrive.events.ClaimFilter;
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
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events set aside, during one exchange: sets aside the found events which the request does not accept, and finds
 * events which earlier exchanges set aside and a request accepts. The search jumps from name to name in the index, so
 * its cost does not grow with the events of a name, and names which the request does not accept are never read.
 */
final class SqliteSetAside {

    /** Events set aside by one exchange at most: further writes wait meanwhile. */
    private static final int MAX_MOVED = 2_000;
    /** Names read for one request at most. */
    private static final int MAX_NAMES = 1_000;

    private final SqliteSession session;
    private final List<Long> refused = new ArrayList<>();
    private int moved;
    /** Whether {@link #exists} is known. */
    private boolean known;
    /** True when events are set aside. */
    private boolean exists;

    SqliteSetAside(SqliteSession session) {
        this.session = session;
    }

    /** An event in the order of claiming. */
    record QueueEntry(long dueAt, long seq) implements Comparable<QueueEntry> {
        @Override
        public int compareTo(QueueEntry other) {
            return dueAt == other.dueAt ? Long.compare(seq, other.seq) : Long.compare(dueAt, other.dueAt);
        }
    }

    /** Notes an event which the request does not accept. */
    void add(QueueEntry entry) {
        refused.add(entry.seq());
    }

    /** Sets aside the noted events. */
    void put() throws SQLException {
        if (!refused.isEmpty()) {
            PreparedStatement put = session.prepare(SqliteSql.SET_ASIDE);
            put.setString(1, refused.toString());
            put.executeUpdate();
            moved += refused.size();
            refused.clear();
            known = true;
            exists = true;
        }
    }

    /** True when this exchange may set no more events aside. */
    boolean isFull() {
        return moved >= MAX_MOVED;
    }

    /** The oldest events of a queue which the request accepts, oldest first. */
    Deque<QueueEntry> oldest(int queue, ClaimRequest request, long dueBy, int limit) throws SQLException {
        List<QueueEntry> entries = new ArrayList<>();
        if (existsAny()) {
            for (String name : acceptedNames(queue, request)) {
                PreparedStatement find = session.prepare(SqliteSql.ASIDE_ENTRIES);
                find.setInt(1, queue);
                find.setString(2, name);
                find.setLong(3, dueBy);
                find.setInt(4, limit);
                try (ResultSet row = find.executeQuery()) {
                    while (row.next()) {
                        entries.add(new QueueEntry(row.getLong(1), row.getLong(2)));
                    }
                }
            }
        }
        entries.sort(null);
        return new ArrayDeque<>(entries.subList(0, Math.min(limit, entries.size())));
    }

    private boolean existsAny() throws SQLException {
        if (!known) {
            try (ResultSet row = session.prepare(SqliteSql.HAS_ASIDE).executeQuery()) {
                exists = row.next();
            }
            known = true;
        }
        return exists;
    }

    private List<String> acceptedNames(int queue, ClaimRequest request) throws SQLException {
        List<String> names = new ArrayList<>();
        for (ClaimFilter.Range range : request.filter().ranges()) {
            String name = nextName(session, queue, range.lowest(), range.beyond());
            while (name != null && names.size() < MAX_NAMES) {
                names.add(name);
                name = nextName(session, queue, new NamePattern(name).beyond(), range.beyond());
            }
        }
        return names;
    }

    /** The number of events set aside under these names. */
    static long count(SqliteSession session, Set<NamePattern> names) throws SQLException {
        long events = 0;
        PreparedStatement count = session.prepare(SqliteSql.COUNT_ASIDE);
        for (ClaimFilter.Range range : ClaimFilter.of(names).ranges()) {
            for (int queue = 0; queue < QueueNumbers.COUNT; queue++) {
                count.setInt(1, queue);
                count.setString(2, range.lowest());
                count.setString(3, range.beyond());
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    events += row.getLong(1);
                }
            }
        }
        return events;
    }

    /** Names of all events set aside, and how long the oldest event of each name has been due. */
    static List<SetAside> names(SqliteSession session, int limit, Instant now) throws SQLException {
        Map<String, Long> oldest = new TreeMap<>();
        NamePattern every = new NamePattern("*");
        for (int queue = 0; queue < QueueNumbers.COUNT; queue++) {
            String name = nextName(session, queue, every.lowest(), every.beyond());
            for (int seen = 0; name != null && seen < limit; seen++) {
                PreparedStatement first = session.prepare(SqliteSql.ASIDE_ENTRIES);
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
