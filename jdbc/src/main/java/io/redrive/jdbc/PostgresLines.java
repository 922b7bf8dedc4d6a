package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.jdbc.PostgresExchange.LineChanges;
import io.redrive.jdbc.PostgresExchange.Opening;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The lines of ordering keys: all unfinished events of a key, of which only the first is ever active (ready or claimed).
 *
 * <p>Who is next cannot be decided by those who change a line. A publisher who finds an event before his own, and the
 * settler who at the same moment ends that event and finds nobody behind it, do not see each other's transaction, and the
 * line would stand still for ever. Nor may a settler wait for publishers: they join the transactions of callers, which can
 * take long. So they leave calls, rows that are seen when their transaction is committed, and those who exchange answer
 * calls, one at a time. An answer sees everything that was committed before it and hands out tickets, so the order in a
 * line is that of commits, and within one transaction that of publishing. Who finds another at it leaves its calls to
 * whoever answers next.
 *
 * <p>What has left is not looked at again. Deleted rows stay in the indexes as long as some old transaction could see them
 * (as told in {@link PostgresLowWater}), and each look would step over them. So this class remembers where the calls begin
 * ({@link PostgresCallMark}), and for each line how far it has got: tickets ascend, what is below the floor is gone for good. That
 * is a matter of speed only, each node has its own, and once a minute it is forgotten: a server that was replaced by its
 * standby may hand out numbers anew.
 *
 * <p>Thread-safe.
 */
final class PostgresLines {

    private static final int CALLS_PER_ANSWER = 5_000;
    private static final int MAX_FLOORS = 50_000;
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** The purpose of the lock that whoever changes lines has. */
    static final String PURPOSE = "lines";

    private final Time time;
    private final PostgresCallMark mark = new PostgresCallMark();
    private final Map<String, Long> floors = new HashMap<>();
    private long rememberedSince;

    PostgresLines(Time time) {
        this.time = time;
        rememberedSince = time.nanos();
    }

    /** What an exchange must know of the calls before it begins. */
    synchronized PostgresCallMark.Start start() {
        if (time.nanos() - rememberedSince > REMEMBERED_NANOS) {
            rememberedSince = time.nanos();
            mark.forget();
            floors.clear();
        }
        return mark.start();
    }

    /** What became of calls. */
    private record Answered(boolean all, long highest, Set<String> keys) {
        static Answered nothing() {
            return new Answered(true, Long.MIN_VALUE, new HashSet<>());
        }
    }

    /**
     * Sees that in each line in which something has changed the first event is active.
     *
     * @return to be run when the transaction is committed
     */
    Runnable activateFirsts(PostgresSession session, Opening opening, LineChanges changes) throws SQLException {
        Map<String, Long> left = changes.left();
        Answered answered = Answered.nothing();
        Map<String, Long> first = Map.of();
        if (opening.linesCall() || !left.isEmpty()) {
            if (!isMyTurn(session)) {
                call(session, left.keySet());
                return () -> raiseFloors(left);
            }
            if (opening.linesCall()) {
                answered = answer(session, changes.mark().certain());
            }
            answered.keys().addAll(left.keySet());
            first = activate(session, answered.keys(), changes, opening.now());
        }
        Answered answers = answered;
        Map<String, Long> below = new HashMap<>(first);
        below.replaceAll((key, ticket) -> ticket - 1);
        return () -> {
            raiseFloors(left);
            raiseFloors(below);
            passed(changes.mark(), opening, answers);
        };
    }

    private static boolean isMyTurn(PostgresSession session) throws SQLException {
        PreparedStatement lock = session.prepare(PostgresSql.TRY_LOCK);
        lock.setLong(1, session.schema().lock(PURPOSE));
        try (ResultSet row = lock.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    static void call(PostgresSession session, Collection<String> keys) throws SQLException {
        if (!keys.isEmpty()) {
            PreparedStatement call = session.prepare(PostgresSql.CALL);
            call.setArray(1, session.texts(List.copyOf(keys), key -> key));
            call.executeUpdate();
        }
    }

    /** A statement of its own, as is what follows: what it sees begins after the turn was had. */
    private static Answered answer(PostgresSession session, long mark) throws SQLException {
        PreparedStatement answer = session.prepare(PostgresSql.ANSWER_CALLS);
        answer.setLong(1, mark);
        answer.setInt(2, CALLS_PER_ANSWER);
        int calls = 0;
        long highest = Long.MIN_VALUE;
        Set<String> keys = new HashSet<>();
        try (ResultSet row = answer.executeQuery()) {
            while (row.next()) {
                calls++;
                highest = Math.max(highest, row.getLong(1));
                keys.add(row.getString(2));
            }
        }
        return new Answered(calls < CALLS_PER_ANSWER, highest, keys);
    }

    /** Returns the first of each line, by ticket. */
    private Map<String, Long> activate(PostgresSession session, Set<String> lines, LineChanges changes, long now)
            throws SQLException {
        if (lines.isEmpty()) {
            return Map.of();
        }
        List<String> keys = List.copyOf(lines);
        PreparedStatement activate = session.prepare(PostgresSql.ACTIVATE);
        activate.setArray(1, session.texts(keys, key -> key));
        activate.setArray(
                2,
                session.bigints(keys, key -> Math.max(floor(key), changes.left().getOrDefault(key, 0L))));
        activate.setArray(3, session.bigints(changes.reached(), place -> Math.min(place, now)));
        Map<String, Long> first = new LinkedHashMap<>();
        try (ResultSet row = activate.executeQuery()) {
            while (row.next()) {
                first.put(row.getString(1), row.getLong(2));
            }
        }
        return first;
    }

    private synchronized long floor(String key) {
        return floors.getOrDefault(key, 0L);
    }

    private synchronized void raiseFloors(Map<String, Long> tickets) {
        if (floors.size() + tickets.size() > MAX_FLOORS) {
            floors.clear();
        }
        tickets.forEach((key, ticket) -> floors.merge(key, ticket, Math::max));
    }

    private synchronized void passed(PostgresCallMark.Start start, Opening opening, Answered answered) {
        long to = answered.all() ? Long.MAX_VALUE : answered.highest();
        mark.scanned(
                start, new PostgresCallMark.Scan(to, answered.highest(), opening.oldestWriter(), opening.number()));
    }
}
