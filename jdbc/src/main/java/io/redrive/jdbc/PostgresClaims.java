package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.jdbc.PostgresExchange.Opening;
import io.redrive.jdbc.PostgresLowWater.Scan;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Claims. A claim deletes rows from the queue and inserts one row in {@code leases}, which lists all its events. The
 * rows of the events do not change, so vacuum finds only narrow dead rows of the queue.
 */
final class PostgresClaims {

    private static final int QUEUE_DUE_COLUMN = 20;

    private final List<PostgresLowWater> queues = new ArrayList<>();
    private final AtomicIntegerArray turns = new AtomicIntegerArray(QueueNumbers.COUNT);

    PostgresClaims(Time time) {
        for (int queue = 0; queue < QueueNumbers.COUNT; queue++) {
            queues.add(new PostgresLowWater(time));
        }
    }

    /** How far each queue has been emptied. */
    List<Long> reached() {
        return queues.stream().map(PostgresLowWater::reached).toList();
    }

    /** The claims of an exchange, the number of events set aside, and whether this number reached its limit. */
    record Claimed(List<Claim> claims, int setAside, boolean more) {}

    /** Serves the requests in order. Adds to {@code onCommit} the moves of the low-water marks. */
    Claimed claim(PostgresSession session, Opening opening, List<ClaimRequest> requests, List<Runnable> onCommit)
            throws SQLException {
        List<Claim> claims = new ArrayList<>();
        PreparedStatement grant = session.prepare(PostgresSql.GRANT_LEASE);
        PostgresSetAside aside = new PostgresSetAside(session, opening);
        Map<Integer, Scan> scanned = new HashMap<>();
        long bytes = 0;
        for (int i = 0; i < requests.size(); i++) {
            Taking taking = new Taking(
                    session, opening, requests.get(i), opening.tokens().get(i), bytes);
            for (int queue : QueueNumbers.of(requests.get(i))) {
                take(queue, taking, aside, scanned, onCommit);
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
        return new Claimed(claims, aside.moved(), aside.isFull());
    }

    /**
     * Takes events of one queue. The queue and the events set aside are first in turns, so that neither starves.
     *
     * @param scanned the last scan by queue, for the requests of this exchange. The next request goes on behind its last
     *     entry: entries before are taken by this exchange, or locked by other claimers
     */
    private void take(
            int queue, Taking taking, PostgresSetAside aside, Map<Integer, Scan> scanned, List<Runnable> onCommit)
            throws SQLException {
        boolean asideFirst = aside.isAny() && turns.incrementAndGet(queue) % 2 == 0;
        if (asideFirst) {
            taking.takeAside(queue, aside);
        }
        Scan last = scanned.get(queue);
        for (Scan scan = last == null ? queues.get(queue).scan() : last.further();
                scan != null && !taking.isFull();
                scan = scan.again()) {
            taking.take(queue, scan, aside);
            scan.ended();
            scanned.put(queue, scan);
            onCommit.add(scan::committed);
        }
        if (aside.isAny() && !asideFirst) {
            taking.takeAside(queue, aside);
        }
    }

    /** Extends the leases with these tokens to some microseconds from now on, and returns their number. */
    static int extend(PostgresSession session, PostgresClock clock, List<Long> tokens, long lease) throws SQLException {
        PreparedStatement extend = session.prepare(PostgresSql.EXTEND_LEASES);
        clock.bind(extend, 1);
        extend.setLong(2, lease);
        extend.setArray(3, session.bigints(tokens));
        return extend.executeUpdate();
    }

    /** The claims of one request. */
    private static final class Taking {
        private final PostgresSession session;
        private final ClaimRequest request;
        private final long token;
        private final long databaseNow;
        private final long dueBy;
        private final Instant now;
        private final List<Claim> claims = new ArrayList<>();
        private long bytes;

        Taking(PostgresSession session, Opening opening, ClaimRequest request, long token, long bytesBefore) {
            this.session = session;
            this.request = request;
            this.token = token;
            databaseNow = opening.now();
            dueBy = databaseNow - Micros.between(request.dueBy(), request.now());
            now = Micros.toInstant(Micros.of(request.now()));
            bytes = bytesBefore;
        }

        boolean isFull() {
            return claims.size() == request.demand() || bytes >= ClaimRequest.MAX_BYTES;
        }

        /**
         * Takes due events, and sets aside events which the request does not accept, until the demand is met or no
         * event is due.
         */
        void take(int queue, Scan scan, PostgresSetAside aside) throws SQLException {
            boolean refused = true;
            while (refused && !isFull() && !aside.isFull()) {
                takeSome(queue, scan, aside);
                refused = aside.put(queue);
            }
            if (isFull()) {
                scan.satisfied();
            }
        }

        /**
         * Moves the times of a claim by the difference between the clocks of server and claimer, which may be hours.
         */
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

        private void takeSome(int queue, Scan scan, PostgresSetAside aside) throws SQLException {
            PreparedStatement take = session.prepare(PostgresClaimSql.TAKE);
            take.setInt(1, queue);
            take.setLong(2, dueBy);
            take.setLong(3, scan.next().major());
            take.setLong(4, scan.next().minor());
            take.setInt(5, request.demand() - claims.size());
            take.setLong(6, ClaimRequest.MAX_BYTES - bytes);
            try (ResultSet row = take.executeQuery()) {
                while (row.next()) {
                    Claim claim = claim(row);
                    long dueInQueue = row.getLong(QUEUE_DUE_COLUMN);
                    if (request.filter().accepts(claim.event().name())) {
                        add(claim);
                    } else {
                        aside.add(claim, dueInQueue);
                    }
                    scan.reach(dueInQueue, claim.position());
                }
            }
        }

        void takeAside(int queue, PostgresSetAside aside) throws SQLException {
            if (isFull()) {
                return;
            }
            int room = request.demand() - claims.size();
            PreparedStatement take = aside.take(queue, request.filter(), room, dueBy);
            take.setLong(PostgresSetAside.BYTES_PARAMETER, ClaimRequest.MAX_BYTES - bytes);
            try (ResultSet row = take.executeQuery()) {
                while (row.next()) {
                    add(claim(row));
                }
            }
        }

        private Claim claim(ResultSet row) throws SQLException {
            return onClaimersClock(EventRows.claim(row, token, Micros.toInstant(databaseNow)));
        }

        private void add(Claim claim) {
            claims.add(claim);
            bytes += claim.event().payloadSize();
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
