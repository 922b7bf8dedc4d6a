package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.jdbc.LowWater.Look;
import io.redrive.jdbc.PostgresExchange.Opening;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Claiming. What is claimed leaves the queue and is listed by one new row in {@code leases}, whatever their number: an
 * event itself is not touched, so a claim leaves nothing behind but narrow rows of the queue to be vacuumed.
 */
final class PostgresClaims {

    private static final int PLACE_COLUMN = 20;

    private final List<LowWater> queues = new ArrayList<>();

    PostgresClaims(Time time) {
        for (int queue = 0; queue <= Queues.SUSPECT; queue++) {
            queues.add(new LowWater(time));
        }
    }

    /** How far each queue has got. */
    List<Long> reached() {
        return queues.stream().map(LowWater::reached).toList();
    }

    /** What the requests find, one after the other; adds what to remember of it. */
    List<Claim> claim(PostgresSession session, Opening opening, List<ClaimRequest> requests, List<Runnable> onCommit)
            throws SQLException {
        List<Claim> claims = new ArrayList<>();
        PreparedStatement grant = session.prepare(PostgresSql.GRANT_LEASE);
        long bytes = 0;
        for (int i = 0; i < requests.size(); i++) {
            Taking taking = new Taking(
                    session, opening, requests.get(i), opening.tokens().get(i), bytes);
            for (int queue : Queues.of(requests.get(i))) {
                look(queue, taking, onCommit);
            }
            bytes = taking.bytes;
            if (!taking.claims.isEmpty()) {
                taking.bindLease(grant);
                grant.addBatch();
                claims.addAll(taking.claims);
            }
        }
        if (!claims.isEmpty()) {
            grant.executeBatch();
        }
        return claims;
    }

    private void look(int queue, Taking taking, List<Runnable> onCommit) throws SQLException {
        for (Look look = queues.get(queue).look(); look != null && !taking.isFull(); look = look.again()) {
            taking.take(queue, look);
            look.ended();
            onCommit.add(look::committed);
        }
    }

    /** What one request takes. */
    private static final class Taking {
        private final PostgresSession session;
        private final ClaimRequest request;
        private final long token;
        private final long databaseNow;
        private final Instant now;
        private final List<Claim> claims = new ArrayList<>();
        private long bytes;

        Taking(PostgresSession session, Opening opening, ClaimRequest request, long token, long bytesBefore) {
            this.session = session;
            this.request = request;
            this.token = token;
            databaseNow = opening.now();
            now = Micros.toInstant(Micros.of(request.now()));
            bytes = bytesBefore;
        }

        boolean isFull() {
            return claims.size() == request.demand() || bytes >= ClaimRequest.MAX_BYTES;
        }

        void take(int queue, Look look) throws SQLException {
            PreparedStatement take = session.prepare(PostgresSql.TAKE);
            take.setInt(1, queue);
            take.setLong(2, databaseNow);
            take.setLong(3, look.from().major());
            take.setLong(4, look.from().minor());
            take.setInt(5, request.demand() - claims.size());
            take.setLong(6, ClaimRequest.MAX_BYTES - bytes);
            try (ResultSet row = take.executeQuery()) {
                while (row.next()) {
                    Claim claim = onClaimersClock(EventRows.claim(row, token, Micros.toInstant(databaseNow)));
                    claims.add(claim);
                    bytes += claim.event().payloadSize();
                    look.reach(row.getLong(PLACE_COLUMN), claim.position());
                }
            }
            if (isFull()) {
                look.satisfied();
            }
        }

        /** Moves the times of a claim by the difference between the two clocks, which may be hours. */
        private Claim onClaimersClock(Claim claim) {
            Duration ahead = Duration.between(Micros.toInstant(databaseNow), now);
            return new Claim(
                    claim.event(),
                    claim.position(),
                    claim.token(),
                    claim.attempts(),
                    claim.firstClaimed().plus(ahead),
                    claim.lastDelay(),
                    claim.redrives(),
                    claim.deadline().map(deadline -> deadline.plus(ahead)),
                    claim.unreadable());
        }

        void bindLease(PreparedStatement grant) throws SQLException {
            grant.setLong(1, token);
            grant.setLong(2, databaseNow + Micros.between(now, now.plus(request.lease())));
            grant.setLong(3, databaseNow);
            grant.setInt(4, claims.size());
            grant.setString(5, request.node());
            grant.setArray(6, session.bigints(claims, Claim::position));
        }
    }
}
