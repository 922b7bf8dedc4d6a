package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Exchange;
import io.redrive.events.Settlement;
import io.redrive.jdbc.LowWater.Look;
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
 * Exchanges, each in one transaction: open, settle, see who is next in the lines of ordering keys, claim.
 *
 * <p>No two exchanges can wait for each other in a circle. Leases are locked first, in the order of their tokens, and a
 * lease is settled by the node that has it; everything after that either is held through its lease or is passed over when
 * somebody else has it.
 */
final class PostgresExchange {

    private final DatabaseClock clock;
    private final PostgresLines lines;
    private final PostgresClaims claims;

    PostgresExchange(DatabaseClock clock, Time time) {
        this.clock = clock;
        lines = new PostgresLines(time);
        claims = new PostgresClaims(time);
    }

    /**
     * What an exchange knows from its first statement.
     *
     * @param now the database's time
     * @param linesCall whether lines want to be looked at
     * @param tokens new ones, one for each request
     * @param leases those that are to be settled and still there, by token
     */
    record Opening(long now, boolean linesCall, List<Long> tokens, Map<Long, Lease> leases) {}

    /** What a claim holds; struck off as it is settled. */
    record Lease(long grantedAt, Set<Long> held) {}

    /** What came of it, and what to remember of the queues once it is committed. */
    record Done(Exchange exchange, List<Look> looks) {
        Exchange committed() {
            looks.forEach(Look::committed);
            return exchange;
        }
    }

    Done run(PostgresSession session, List<Settlement> settlements, List<ClaimRequest> requests, Instant now)
            throws SQLException {
        List<Look> looks = new ArrayList<>();
        Look calls = lines.look();
        Opening opening = open(session, settlements, requests.size(), calls);
        calls.ended();
        List<Claim> stale = PostgresSettlements.settle(session, opening, settlements, now);
        boolean freed = settlements.stream()
                .anyMatch(it -> it.claim().event().orderingKey().isPresent());
        if (!requests.isEmpty() && (opening.linesCall() || freed)) {
            lines.answer(session, calls);
            looks.add(calls);
        }
        return new Done(new Exchange(stale, claims.claim(session, opening, requests, looks)), looks);
    }

    private Opening open(PostgresSession session, List<Settlement> settlements, int tokens, Look calls)
            throws SQLException {
        Set<Long> settled = new TreeSet<>();
        settlements.forEach(settlement -> settled.add(settlement.claim().token()));
        PreparedStatement open = session.prepare(PostgresSql.OPEN_EXCHANGE);
        open.setArray(1, session.bigints(settled));
        clock.bind(open, 2);
        open.setLong(3, calls.from().major());
        open.setInt(4, tokens);
        try (ResultSet row = open.executeQuery()) {
            row.next();
            Map<Long, Lease> leases = new HashMap<>();
            Opening opening = new Opening(row.getLong(1), row.getBoolean(2), longs(row, 3), leases);
            do {
                long token = row.getLong(4);
                if (!row.wasNull()) {
                    leases.put(token, new Lease(row.getLong(5), new LinkedHashSet<>(longs(row, 6))));
                }
            } while (row.next());
            return opening;
        }
    }

    private static List<Long> longs(ResultSet row, int column) throws SQLException {
        return List.of((Long[]) row.getArray(column).getArray());
    }
}
