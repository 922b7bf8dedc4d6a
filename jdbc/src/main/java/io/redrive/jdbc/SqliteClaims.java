package io.redrive.jdbc;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Exchange;
import io.redrive.events.LeaseHolders;
import io.redrive.jdbc.SqliteSetAside.QueueEntry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims, extends and recovers. Each request that finds events gets one token and one row in {@code leases}, which
 * lists the positions of its events: a heartbeat touches one row per request, and recovery finds the events by
 * position. An index over the tokens of claimed events was rejected: it costs two index writes for each event on the
 * hot path.
 */
final class SqliteClaims {

    private static final int NAME_COLUMN = 3;
    private static final int POSITION_COLUMN = 13;
    private static final int QUEUE_DUE_COLUMN = 20;

    private SqliteClaims() {}

    /** Serves the requests in order. Returns the exchange of these claims and of the stale claims found before. */
    static Exchange claim(SqliteSession session, List<Claim> stale, List<ClaimRequest> requests) throws SQLException {
        List<Claim> claims = new ArrayList<>();
        SqliteSetAside aside = new SqliteSetAside(session);
        long bytes = 0;
        for (ClaimRequest request : requests) {
            Found found = new Found(session, request, aside, bytes);
            for (int queue : QueueNumbers.of(request)) {
                found.addDueIn(queue);
            }
            bytes = found.bytes;
            if (!found.claims.isEmpty()) {
                claims.addAll(found.take());
            }
        }
        return new Exchange(stale, claims, aside.isFull());
    }

    /** The claims of one request: first found, then taken together under one token. */
    private static final class Found {
        private final SqliteSession session;
        private final ClaimRequest request;
        private final SqliteSetAside aside;
        private final Instant now;
        private final long dueBy;
        private final List<Claim> claims = new ArrayList<>();
        private long token;
        private long bytes;

        Found(SqliteSession session, ClaimRequest request, SqliteSetAside aside, long bytesBefore) {
            this.session = session;
            this.request = request;
            this.aside = aside;
            bytes = bytesBefore;
            now = Micros.toInstant(Micros.of(request.now()));
            dueBy = Micros.of(request.dueBy());
        }

        /** Adds due events of a queue, oldest first, from the queue and from the events set aside. */
        void addDueIn(int queue) throws SQLException {
            if (isFull()) {
                return;
            }
            Deque<QueueEntry> asideEntries = aside.oldest(queue, request, dueBy, request.demand() - claims.size());
            PreparedStatement due = session.prepare(SqliteSql.DUE);
            QueueEntry last = addReady(queue, due, asideEntries);
            aside.put();
            while (last != null && !isFull() && !aside.isFull()) {
                PreparedStatement behind = session.prepare(SqliteSql.DUE_BEHIND);
                behind.setLong(4, last.dueAt());
                behind.setLong(5, last.seq());
                last = addReady(queue, behind, asideEntries);
                aside.put();
            }
            while (!isFull() && !asideEntries.isEmpty()) {
                addAside(asideEntries.poll());
            }
        }

        /** Adds due events from the queue itself. Returns the last entry read, or null when no due entry follows it. */
        private @Nullable QueueEntry addReady(int queue, PreparedStatement due, Deque<QueueEntry> asideEntries)
                throws SQLException {
            int limit = request.demand() - claims.size();
            @Nullable QueueEntry last = null;
            due.setInt(1, queue);
            due.setLong(2, dueBy);
            due.setInt(3, limit);
            int read = 0;
            try (ResultSet row = due.executeQuery()) {
                while (!isFull() && row.next()) {
                    read++;
                    last = new QueueEntry(row.getLong(QUEUE_DUE_COLUMN), row.getLong(POSITION_COLUMN));
                    while (!isFull()
                            && !asideEntries.isEmpty()
                            && asideEntries.peek().compareTo(last) < 0) {
                        addAside(asideEntries.poll());
                    }
                    if (!request.filter().accepts(row.getString(NAME_COLUMN))) {
                        aside.add(last);
                    } else if (!isFull()) {
                        add(row);
                    }
                }
            }
            return read < limit ? null : last;
        }

        private void addAside(QueueEntry entry) throws SQLException {
            PreparedStatement one = session.prepare(SqliteSql.ASIDE_EVENT);
            one.setLong(1, entry.seq());
            try (ResultSet row = one.executeQuery()) {
                row.next();
                add(row);
            }
        }

        private boolean isFull() {
            return claims.size() == request.demand() || bytes >= ClaimRequest.MAX_BYTES;
        }

        private void add(ResultSet row) throws SQLException {
            if (claims.isEmpty()) {
                token = session.nextToken();
            }
            Claim claim = EventRows.claim(row, token, now);
            claims.add(claim);
            bytes += claim.event().payloadSize();
        }

        List<Claim> take() throws SQLException {
            PreparedStatement claim = session.prepare(SqliteSql.CLAIM);
            claim.setLong(1, token);
            claim.setLong(2, Micros.of(now));
            claim.setString(3, positions(claims));
            claim.executeUpdate();
            grantLease(session, claims, request.node(), request.lease(), now);
            return claims;
        }
    }

    /** Adds the lease of claims with one token. */
    static void grantLease(SqliteSession session, List<Claim> claims, String node, Duration lease, Instant now)
            throws SQLException {
        PreparedStatement grant = session.prepare(SqliteSql.GRANT_LEASE);
        grant.setLong(1, claims.get(0).token());
        grant.setString(2, node);
        grant.setLong(3, Micros.of(now.plus(lease)));
        grant.setInt(4, claims.size());
        grant.setString(5, positions(claims));
        grant.setLong(6, Micros.of(now));
        grant.executeUpdate();
    }

    /** Returns the positions of claims as a JSON array. */
    private static String positions(List<Claim> claims) {
        StringBuilder seqs = new StringBuilder("[");
        for (Claim claim : claims) {
            seqs.append(seqs.length() == 1 ? "" : ",").append(claim.position());
        }
        return seqs.append(']').toString();
    }

    static int extend(SqliteSession session, Collection<Long> tokens, Duration lease, Instant now) throws SQLException {
        PreparedStatement extend = session.prepare(SqliteSql.EXTEND_LEASES);
        extend.setLong(1, Micros.of(now.plus(lease)));
        extend.setString(2, tokens.toString());
        extend.setLong(3, Micros.of(now));
        return extend.executeUpdate();
    }

    static int recover(SqliteSession session, Instant now, LeaseHolders holders) throws SQLException {
        record Expired(long token, String node, String seqs, boolean hadNeighbours) {}
        List<Expired> leases = new ArrayList<>();
        PreparedStatement expired = session.prepare(SqliteSql.EXPIRED_LEASES);
        expired.setLong(1, Micros.of(now));
        try (ResultSet row = expired.executeQuery()) {
            while (row.next()) {
                leases.add(new Expired(row.getLong(1), row.getString(2), row.getString(3), row.getBoolean(4)));
            }
        }
        leases.removeIf(lease -> holders.unclear().contains(lease.node()));
        int recovered = 0;
        for (Expired lease : leases) {
            boolean gone = !holders.alive().contains(lease.node());
            if (gone) {
                PreparedStatement mark = session.prepare(SqliteSql.MARK_NEIGHBOURS);
                mark.setString(1, lease.node());
                mark.setLong(2, lease.token());
                mark.executeUpdate();
            }
            PreparedStatement recover = session.prepare(SqliteSql.RECOVER);
            recover.setLong(1, Micros.of(now));
            recover.setLong(2, lease.token());
            recover.setString(3, lease.seqs());
            recover.setInt(4, gone ? 1 : 0);
            recover.setInt(5, Attempts.CRASHES_OF_A_SUSPECT);
            recover.setInt(6, lease.hadNeighbours() ? 1 : 0);
            recovered += recover.executeUpdate();
            settled(session, lease.token(), Integer.MAX_VALUE);
        }
        return recovered;
    }

    /** Takes {@code events} events off a lease, and ends the lease with its last event. */
    static void settled(SqliteSession session, long token, int events) throws SQLException {
        PreparedStatement end = session.prepare(SqliteSql.END_LEASE);
        end.setLong(1, token);
        end.setInt(2, events);
        if (end.executeUpdate() == 0) {
            PreparedStatement shrink = session.prepare(SqliteSql.SHRINK_LEASE);
            shrink.setLong(1, token);
            shrink.setInt(2, events);
            shrink.executeUpdate();
        }
    }
}
