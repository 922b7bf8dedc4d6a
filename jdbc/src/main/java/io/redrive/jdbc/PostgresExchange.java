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
 * Exchanges, each in one transaction with four steps: open, settle, activate the first events of lines, claim.
 *
 * <p>Two exchanges never deadlock. Leases are locked first, in the order of their tokens, and only the node holding a
 * lease settles it. Later steps touch rows protected by these leases, or skip rows locked by another transaction.
 */
final class PostgresExchange {

    private final PostgresClock clock;
    private final PostgresLines lines;
    private final PostgresClaims claims;
    private final PostgresScanBudget asideScans;
    private final Runnable onSetAside;
    private final SqlJournal journal;

    /**
     * Runs {@code onSetAside} after a commit that set events aside: claimers elsewhere may just have missed these
     * events.
     */
    PostgresExchange(PostgresClock clock, Time time, SqlJournal journal, Runnable onSetAside) {
        this.clock = clock;
        lines = new PostgresLines(time);
        claims = new PostgresClaims(time);
        asideScans = new PostgresScanBudget(time);
        this.onSetAside = onSetAside;
        this.journal = journal;
    }

    /**
     * The answer to the first statement of an exchange.
     *
     * @param now the database's time
     * @param oldestWriter the number of the oldest running transaction that has written
     * @param number the number of this transaction; zero when {@link PostgresCallMark.Start#needsNumber} was false
     * @param linesCall whether calls to lines exist
     * @param anyAside whether events are set aside; false when this exchange did not ask
     * @param tokens new tokens, one for each request
     * @param leases existing leases of the settled claims, by token
     */
    record Opening(
            long now,
            long oldestWriter,
            long number,
            boolean linesCall,
            boolean anyAside,
            List<Long> tokens,
            Map<Long, Lease> leases) {}

    /** The events held by a claim; settling removes positions. */
    record Lease(long grantedAt, Set<Long> held) {}

    /** The answer for the caller, and actions to run after the commit. */
    record Outcome(Exchange exchange, List<Runnable> onCommit) {
        Exchange committed() {
            onCommit.forEach(Runnable::run);
            return exchange;
        }
    }

    /**
     * Input for {@link PostgresLines#activateFirsts}.
     *
     * @param mark of the calls, before the exchange began
     * @param left the tickets of active events that ended in this exchange, by ordering key
     * @param reached how far each queue has been emptied
     */
    record LineChanges(PostgresCallMark.Start mark, Map<String, Long> left, List<Long> reached) {}

    Outcome run(PostgresSession session, List<Settlement> settlements, List<ClaimRequest> requests, Instant now)
            throws SQLException {
        List<Runnable> onCommit = new ArrayList<>();
        PostgresCallMark.Start mark = lines.start();
        Opening opening = open(session, settlements, requests.size(), mark);
        PostgresSettlements settled = PostgresSettlements.settle(session, opening, settlements, now, journal);
        LineChanges changes = new LineChanges(mark, settled.leftLines(), claims.reached());
        onCommit.add(lines.activateFirsts(session, opening, changes));
        PostgresClaims.Claimed claimed = claims.claim(session, opening, requests, onCommit);
        if (claimed.setAside() > 0) {
            onCommit.add(onSetAside);
        }
        onCommit.add(() -> journal.added(settlements.size()));
        return new Outcome(new Exchange(settled.stale(), claimed.claims(), claimed.more()), onCommit);
    }

    /** The id above which calls to lines are read, for tests. */
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
