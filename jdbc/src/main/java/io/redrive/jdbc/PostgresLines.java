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
 * The lines of ordering keys. A line has all unfinished events of a key; only its first event is ever active: ready or
 * claimed.
 *
 * <p>Neither publishers nor settlers can decide which event is next. A publisher finds an event before its own; a
 * settler ends this event at the same moment and finds no event behind it. Neither sees the other's transaction, and
 * the line would stop for ever. A settler must not wait for publishers: they join transactions of callers, which can be
 * long. So publishers and settlers insert calls, rows that become visible with their commit, and exchanges answer
 * calls, one exchange at a time. An answer sees every earlier commit and hands out tickets, so a line is ordered by
 * commits, and by publication within a commit. An exchange that finds another exchange answering leaves its calls to
 * the next one.
 *
 * <p>Scans skip deleted rows. Deleted rows stay in the indexes while an old transaction could see them (see {@link
 * PostgresLowWater}), and each scan would step over them. So this class remembers the id at which the calls begin
 * ({@link PostgresCallMark}), and for each line the highest ticket that has left: tickets ascend, so no event at or
 * below this ticket remains. Each node remembers both for speed only, and forgets both once a minute: a standby that
 * replaced its server may hand out the same numbers again.
 *
 * <p>Thread-safe.
 */
final class PostgresLines {

    private static final int CALLS_PER_ANSWER = 5_000;
    private static final int MAX_FLOORS = 50_000;
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** The purpose of the advisory lock held while lines change. */
    static final String PURPOSE = "lines";

    private final Time time;
    private final PostgresCallMark mark = new PostgresCallMark();
    private final Map<String, Long> floors = new HashMap<>();
    private long rememberedSince;

    PostgresLines(Time time) {
        this.time = time;
        rememberedSince = time.nanos();
    }

    /** The mark of the calls, for an exchange about to begin. */
    synchronized PostgresCallMark.Start start() {
        if (time.nanos() - rememberedSince > REMEMBERED_NANOS) {
            rememberedSince = time.nanos();
            mark.forget();
            floors.clear();
        }
        return mark.start();
    }

    /** Answered calls: whether all calls were answered, the highest id, the keys of their lines. */
    private record Answered(boolean all, long highest, Set<String> keys) {
        static Answered nothing() {
            return new Answered(true, Long.MIN_VALUE, new HashSet<>());
        }
    }

    /**
     * Makes the first event of each changed line active.
     *
     * @return must be run after the commit
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

    /**
     * Answers calls. A separate statement, as is {@link #activate}: its snapshot begins after the lock was obtained.
     */
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

    /** Returns the ticket of the first event of each line. */
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
        activate.setArray(3, session.bigints(changes.reached(), due -> Math.min(due, now)));
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
