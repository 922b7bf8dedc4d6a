package io.redrive.jdbc;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.NamePattern;
import io.redrive.jdbc.PostgresExchange.Opening;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Events set aside, during one exchange: sets aside the taken events which the request does not accept, and takes
 * events which earlier exchanges set aside and a request accepts.
 */
final class PostgresSetAside {

    static final int BYTES_PARAMETER = 11;

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
        List<NamePattern> accepted = List.copyOf(filter.accepted());
        PreparedStatement take = session.prepare(PostgresClaimSql.TAKE_ASIDE);
        take.setArray(1, session.texts(accepted, NamePattern::lowest));
        take.setArray(2, session.texts(accepted, NamePattern::beyond));
        take.setInt(3, queue);
        take.setInt(4, queue);
        take.setArray(5, session.texts(List.copyOf(filter.excluded()), name -> name));
        take.setInt(6, MAX_NAMES);
        take.setInt(7, queue);
        take.setLong(8, dueBy);
        take.setInt(9, limit);
        take.setInt(10, limit);
        return take;
    }
}
