package io.redrive.jdbc;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.SetAside;
import io.redrive.jdbc.PostgresExchange.Opening;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Events set aside, during one exchange: sets aside the taken events which the request does not accept, and takes
 * events which earlier exchanges set aside and a request accepts.
 */
final class PostgresSetAside {

    static final int BYTES_PARAMETER = 10;

    /** Events set aside by one exchange at most; each is read again when a claimer accepts it. */
    private static final int MAX_MOVED = 2_000;
    /** Names read for one request at most. */
    private static final int MAX_NAMES = 1_000;

    private final PostgresSession session;
    private final List<Refused> refused = new ArrayList<>();
    private final boolean any;
    private int moved;

    PostgresSetAside(PostgresSession session, Opening opening) {
        this.session = session;
        any = opening.anyAside();
    }

    private record Refused(Claim claim, long dueAt) {}

    /** Notes an event taken from its queue which the request does not accept. */
    void add(Claim claim, long dueAt) {
        refused.add(new Refused(claim, dueAt));
    }

    /** Sets aside the noted events, all from one queue. Returns false when no event was noted. */
    boolean put(int queue) throws SQLException {
        if (refused.isEmpty()) {
            return false;
        }
        PreparedStatement put = session.prepare(PostgresClaimSql.SET_ASIDE);
        put.setInt(1, queue);
        put.setArray(2, session.texts(refused, each -> each.claim().event().name()));
        put.setArray(3, session.bigints(refused, Refused::dueAt));
        put.setArray(4, session.bigints(refused, each -> each.claim().position()));
        put.setArray(5, session.integers(refused, each -> each.claim().event().payloadSize()));
        put.executeUpdate();
        moved += refused.size();
        refused.clear();
        return true;
    }

    boolean isAny() {
        return any;
    }

    int moved() {
        return moved;
    }

    /** True when this exchange may set no more events aside. */
    boolean isFull() {
        return moved >= MAX_MOVED;
    }

    /** The statement that takes events of a queue; the caller binds {@link #BYTES_PARAMETER}. */
    PreparedStatement take(int queue, ClaimFilter filter, int limit, long dueBy) throws SQLException {
        PreparedStatement take = session.prepare(PostgresClaimSql.TAKE_ASIDE);
        bind(session, take, filter.ranges());
        take.setInt(3, queue);
        take.setInt(4, queue);
        take.setInt(5, MAX_NAMES);
        take.setInt(6, queue);
        take.setLong(7, dueBy);
        take.setInt(8, limit);
        take.setInt(9, limit);
        return take;
    }

    /** The number of events set aside under these names. */
    static long count(PostgresSession session, Set<NamePattern> names) throws SQLException {
        PreparedStatement count = session.prepare(PostgresClaimSql.COUNT_ASIDE);
        bind(session, count, ClaimFilter.of(names).ranges());
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Names of the events set aside, in alphabetical order. */
    static List<SetAside> names(PostgresSession session, PostgresClock clock, int limit) throws SQLException {
        PreparedStatement names = session.prepare(PostgresClaimSql.ASIDE_NAMES);
        clock.bind(names, 1);
        names.setInt(2, limit * QueueNumbers.COUNT);
        names.setInt(3, limit);
        List<SetAside> aside = new ArrayList<>();
        try (ResultSet row = names.executeQuery()) {
            while (row.next()) {
                aside.add(new SetAside(row.getString(1), Micros.toDuration(row.getLong(2))));
            }
        }
        return aside;
    }

    private static void bind(PostgresSession session, PreparedStatement statement, List<ClaimFilter.Range> ranges)
            throws SQLException {
        statement.setArray(1, session.texts(ranges, ClaimFilter.Range::lowest));
        statement.setArray(2, session.texts(ranges, ClaimFilter.Range::beyond));
    }
}
