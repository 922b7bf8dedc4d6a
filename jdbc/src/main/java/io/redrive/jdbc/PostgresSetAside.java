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
 * Events set aside, during one exchange: those that the exchange took and no request of it accepts, and those of earlier
 * exchanges that a request accepts.
 */
final class PostgresSetAside {

    static final int BYTES_PARAMETER = 11;

    /** Events that one exchange sets aside at most; each is read once more when a claimer accepts it. */
    private static final int MAX_MOVED = 2_000;
    /** Names that one look considers at most. */
    private static final int MAX_NAMES = 1_000;

    private final PostgresSession session;
    private final List<Refused> refused = new ArrayList<>();
    private final boolean any;
    private int moved;

    PostgresSetAside(PostgresSession session, Opening opening) {
        this.session = session;
        any = opening.anyAside();
    }

    private record Refused(Claim claim, long place) {}

    /** Notes an event that was taken from its queue and that the request does not accept. */
    void add(Claim claim, long place) {
        refused.add(new Refused(claim, place));
    }

    /** Sets aside what was noted, all from one queue; false when there is nothing. */
    boolean put(int queue) throws SQLException {
        if (refused.isEmpty()) {
            return false;
        }
        PreparedStatement put = session.prepare(PostgresClaimSql.SET_ASIDE);
        put.setInt(1, queue);
        put.setArray(2, session.texts(refused, each -> each.claim().event().name()));
        put.setArray(3, session.bigints(refused, Refused::place));
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

    /** True when this exchange sets no more events aside. */
    boolean isFull() {
        return moved >= MAX_MOVED;
    }

    /** The statement that takes events of a queue; the parameter for bytes is left to bind. */
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
