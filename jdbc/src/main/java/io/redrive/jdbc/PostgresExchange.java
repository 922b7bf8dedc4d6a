package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Exchange;
import io.redrive.events.Settlement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Exchanges, each in one transaction: open, settle, look after the lines of ordering keys, claim.
 *
 * <p>No two exchanges can wait for each other in a circle. Leases are locked first, in the order of their tokens, and a
 * lease is settled by the node that has it; everything after that either is held through its lease or is passed over when
 * somebody else has it.
 */
final class PostgresExchange {

    private final PostgresClock clock;
    private final PostgresLines lines;
    private final PostgresClaims claims;
    private final PostgresScanBudget asideScans;
    private final Runnable onSetAside;

    /** Runs {@code onSetAside} after a commit that set events aside: other claimers may have just missed them. */
    PostgresExchange(PostgresClock clock, Time time, Runnable onSetAside) {
        this.clock = clock;
        lines = new PostgresLines(time);
        claims = new PostgresClaims(time);
        asideScans = new PostgresScanBudget(time);
        this.onSetAside = onSetAside;
    }

    /**
     * What an exchange knows from its first statement.
     *
     * @param now the database's time
     * @param oldestWriter the oldest transaction that has written and is not over
     * @param number the number of this transaction, zero when the start of the mark did not need one
     * @param linesCall whether there are calls to lines
     * @param anyAside whether events are set aside; false when this exchange does not look for them
     * @param tokens new ones, one for each request
     * @param leases those that are to be settled and still there, by token
     */
    record Opening(
            long now,
            long oldestWriter,
            long number,
            boolean linesCall,
            boolean anyAside,
            List<Long> tokens,
            Map<Long, Lease> leases) {}

    /** What a claim holds; struck off as it is settled. */
    record Lease(long grantedAt, Set<Long> held) {}

    /** What came of it, and what to remember once it is committed. */
    record Outcome(Exchange exchange, List<Runnable> onCommit) {
        Exchange committed() {
            onCommit.forEach(Runnable::run);
            return exchange;
        }
    }

    /**
     * What there is to know about lines.
     *
     * @param mark of the calls, before the exchange began
     * @param left lines whose active event has ended in this exchange, and its ticket
     * @param reached how far each queue has got
     */
    record LineChanges(PostgresCallMark.Start mark, Map<String, Long> left, List<Long> reached) {}

    Outcome run(PostgresSession session, List<Settlement> settlements, List<ClaimRequest> requests, Instant now)
            throws SQLException {
        List<Runnable> onCommit = new ArrayList<>();
        PostgresCallMark.Start mark = lines.start();
        Opening opening = open(session, settlements, requests.size(), mark);
        PostgresSettlements settled = PostgresSettlements.settle(session, opening, settlements, now);
        LineChanges changes = new LineChanges(mark, settled.leftLines(), claims.reached());
        onCommit.add(lines.activateFirsts(session, opening, changes));
        PostgresClaims.Claimed claimed = claims.claim(session, opening, requests, onCommit);
        if (claimed.setAside() > 0) {
            onCommit.add(onSetAside);
        }
        return new Outcome(new Exchange(settled.stale(), claimed.claims(), claimed.more()), onCommit);
    }

    /** For tests: calls to lines are looked for after this id. */
    long callMark() {
        return lines.start().certain();
    }

    private Opening open(PostgresSession session, List<Settlement> settlements, int tokens, PostgresCallMark.Start mark)
            throws SQLException {
        Set<Long> settled = new TreeSet<>();
        settlements.forEach(settlement -> settled.add(settlement.claim().token()));
        PreparedStatement open = session.prepare(PostgresSql.OPEN_EXCHANGE);
        open.setArray(1, session.bigints(settled));
        clock.bind(open, 2);
        open.setBoolean(3, mark.needsNumber());
        open.setLong(4, mark.certain());
        boolean looksAside = tokens > 0 && (asideScans.isCheap() || asideScans.allows());
        long began = asideScans.now();
        open.setBoolean(5, looksAside);
        open.setInt(6, tokens);
        try (ResultSet row = open.executeQuery()) {
            row.next();
            Map<Long, Lease> leases = new HashMap<>();
            Opening opening = new Opening(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getBoolean(4),
                    row.getBoolean(5),
                    longs(row, 6),
                    leases);
            if (looksAside) {
                asideScans.spend(began);
            }
            do {
                long token = row.getLong(7);
                if (!row.wasNull()) {
                    leases.put(token, new Lease(row.getLong(8), new LinkedHashSet<>(longs(row, 9))));
                }
            } while (row.next());
            return opening;
        }
    }

    private static List<Long> longs(ResultSet row, int column) throws SQLException {
        return List.of((Long[]) row.getArray(column).getArray());
    }
}
