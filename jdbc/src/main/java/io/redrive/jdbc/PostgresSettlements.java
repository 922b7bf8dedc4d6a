package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import io.redrive.events.Settlement.Dead;
import io.redrive.events.Settlement.Done;
import io.redrive.events.Settlement.Release;
import io.redrive.events.Settlement.Retry;
import io.redrive.events.Settlement.Snooze;
import io.redrive.jdbc.PostgresExchange.Lease;
import io.redrive.jdbc.PostgresExchange.Opening;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Settles. The lease is the fence: it is locked, and a claim outside its list is stale. Valid settlements are sorted by
 * kind, and each kind is one statement, whatever the number of events.
 */
final class PostgresSettlements implements Settlement.Cases<Lease> {

    private final PostgresSession session;
    private final Opening opening;
    private final Instant now;
    private final SqlJournal journal;

    private final List<Claim> stale = new ArrayList<>();
    private final Map<Long, Lease> touched = new HashMap<>();
    private final List<Done> done = new ArrayList<>();
    private final List<Dead> dead = new ArrayList<>();
    private final List<Return> returned = new ArrayList<>();
    private final List<Failed> failed = new ArrayList<>();
    private final Map<String, Long> leftLines = new HashMap<>();

    private PostgresSettlements(PostgresSession session, Opening opening, Instant now, SqlJournal journal) {
        this.session = session;
        this.opening = opening;
        this.now = now;
        this.journal = journal;
    }

    static PostgresSettlements settle(
            PostgresSession session, Opening opening, List<Settlement> settlements, Instant now, SqlJournal journal)
            throws SQLException {
        PostgresSettlements all = new PostgresSettlements(session, opening, now, journal);
        for (Settlement settlement : settlements) {
            all.sort(settlement);
        }
        all.apply();
        return all;
    }

    List<Claim> stale() {
        return stale;
    }

    /** The tickets of active events that ended, by ordering key. */
    Map<String, Long> leftLines() {
        return leftLines;
    }

    /**
     * An event that becomes ready again.
     *
     * @param dueIn microseconds until the event is due
     * @param lastDelay the wait of a retry in nanoseconds; null unless the event is retried
     * @param failed 1 for a failed attempt, which the event's tally counts, else 0
     * @param interrupted 1 for an interruption, which the event's tally counts, else 0
     * @param waits the ordinal of the cause of a snooze; 0 for any other settlement
     */
    private record Return(
            Claim claim, Lease lease, long dueIn, @Nullable Long lastDelay, int failed, int interrupted, int waits) {}

    /** An attempt for the history of an event. */
    private record Failed(Claim claim, AttemptRecord attempt) {}

    private void sort(Settlement settlement) {
        Claim claim = settlement.claim();
        Lease lease = opening.leases().get(claim.token());
        if (lease == null || !lease.held().remove(claim.position())) {
            stale.add(claim);
            return;
        }
        touched.put(claim.token(), lease);
        settlement.match(lease, this);
    }

    @Override
    public void done(Done settled, Lease lease) {
        done.add(settled);
    }

    @Override
    public void retry(Retry retry, Lease lease) {
        failed.add(new Failed(retry.claim(), retry.attempt()));
        long delay = EventRows.nanos(retry.delay());
        returned.add(new Return(retry.claim(), lease, waitUntil(retry.due()), delay, 1, 0, 0));
    }

    @Override
    public void dead(Dead letter, Lease lease) {
        failed.add(new Failed(letter.claim(), letter.attempt()));
        dead.add(letter);
    }

    @Override
    public void release(Release release, Lease lease) {
        returned.add(new Return(release.claim(), lease, 0, null, 0, 1, 0));
    }

    @Override
    public void snooze(Snooze snooze, Lease lease) {
        int cause = snooze.cause().ordinal();
        returned.add(new Return(snooze.claim(), lease, waitUntil(snooze.due()), null, 0, 0, cause));
    }

    private long waitUntil(Instant due) {
        return Micros.between(now, due);
    }

    private void apply() throws SQLException {
        if (!failed.isEmpty()) {
            recordAttempts();
        }
        if (!dead.isEmpty()) {
            bury();
        }
        if (!returned.isEmpty()) {
            putBack();
        }
        List<Claim> ended = new ArrayList<>();
        done.forEach(settled -> ended.add(settled.claim()));
        dead.forEach(letter -> ended.add(letter.claim()));
        if (!ended.isEmpty()) {
            remove(ended);
        }
        shrinkLeases();
    }

    private void recordAttempts() throws SQLException {
        PreparedStatement record = session.prepare(PostgresSql.RECORD_ATTEMPTS);
        int at = 0;
        record.setArray(++at, session.bigints(failed, it -> it.claim().position()));
        record.setArray(++at, session.integers(failed, it -> it.attempt().number()));
        record.setArray(
                ++at, session.bigints(failed, it -> Micros.of(it.attempt().at())));
        record.setArray(++at, session.texts(failed, it -> it.attempt().node()));
        record.setArray(
                ++at, session.bigints(failed, it -> EventRows.nanos(it.attempt().duration())));
        record.setArray(++at, session.texts(failed, it -> it.attempt().errorType()));
        record.setArray(++at, session.texts(failed, it -> it.attempt().message()));
        record.setArray(++at, session.texts(failed, it -> it.attempt().decision()));
        record.setArray(++at, session.texts(failed, it -> it.attempt().why()));
        record.executeUpdate();
    }

    private void bury() throws SQLException {
        Map<String, String> filed = CauseRows.filedUnder(
                session, dead.stream().map(Dead::fingerprint).toList());
        PreparedStatement bury = session.prepare(PostgresSql.BURY);
        int at = 0;
        bury.setLong(++at, opening.now());
        bury.setArray(++at, session.bigints(dead, it -> it.claim().position()));
        bury.setArray(++at, session.texts(dead, it -> it.reason().code()));
        bury.setArray(++at, session.texts(dead, it -> it.attempt().errorType()));
        bury.setArray(++at, session.texts(dead, it -> it.attempt().message()));
        bury.setArray(++at, session.texts(dead, it -> filed.get(it.fingerprint())));
        bury.setArray(++at, session.texts(dead, Dead::service));
        bury.setArray(++at, session.texts(dead, EventRows::redactedHeaders));
        bury.setArray(++at, session.bytes(dead, EventRows::redactedPayload));
        bury.executeUpdate();
        CauseRows.saw(session, dead, filed, opening.now());
    }

    private void putBack() throws SQLException {
        PreparedStatement count = session.prepare(PostgresSql.COUNT);
        count.setArray(1, session.bigints(returned, it -> it.claim().position()));
        count.setArray(2, session.bigints(returned, it -> it.lease().grantedAt()));
        count.setArray(3, session.bigints(returned, Return::lastDelay));
        count.setArray(4, session.integers(returned, Return::failed));
        count.setArray(5, session.integers(returned, Return::interrupted));
        count.executeUpdate();
        PreparedStatement putBack = session.prepare(PostgresSql.PUT_BACK);
        int at = 0;
        putBack.setArray(++at, session.bigints(returned, it -> it.claim().position()));
        putBack.setInt(++at, Attempts.CRASHES_OF_A_SUSPECT);
        putBack.setInt(++at, QueueNumbers.SUSPECTS);
        putBack.setArray(++at, session.bigints(returned, it -> it.claim().position()));
        putBack.setArray(++at, session.bigints(returned, it -> opening.now() + it.dueIn()));
        putBack.setArray(++at, session.integers(returned, Return::waits));
        putBack.setArray(++at, session.bigints(returned, this::putOff));
        putBack.executeUpdate();
    }

    /** Returns when the due time was decided: at the failure of a retry, else now. */
    private long putOff(Return back) {
        Long delay = back.lastDelay();
        return opening.now() + (delay == null ? 0 : back.dueIn() - TimeUnit.NANOSECONDS.toMicros(delay));
    }

    private void remove(List<Claim> ended) throws SQLException {
        List<Claim> finished = done.stream().map(Done::claim).toList();
        List<Claim> withHistory = finished.stream()
                .filter(claim -> claim.attempts().failed() > 0 || claim.redrives() > 0)
                .toList();
        journal.add(session, done, journal.origins(session, finished), opening.now());
        if (!withHistory.isEmpty() && !journal.isOn()) {
            PreparedStatement forget = session.prepare(PostgresSql.FORGET_ATTEMPTS);
            forget.setArray(1, session.bigints(withHistory, Claim::position));
            forget.executeUpdate();
        }
        PreparedStatement remove = session.prepare(PostgresSql.REMOVE);
        remove.setArray(1, session.bigints(ended, Claim::position));
        remove.setArray(2, session.bigints(ended, Claim::position));
        remove.executeUpdate();
        List<Claim> lined = ended.stream()
                .filter(claim -> claim.event().orderingKey().isPresent())
                .toList();
        if (!lined.isEmpty()) {
            leaveLines(lined);
        }
    }

    private void leaveLines(List<Claim> ended) throws SQLException {
        PreparedStatement leave = session.prepare(PostgresSql.LEAVE_LINES);
        leave.setArray(1, session.bigints(ended, Claim::position));
        try (ResultSet row = leave.executeQuery()) {
            while (row.next()) {
                leftLines.put(row.getString(1), row.getLong(2));
            }
        }
    }

    /** Removes settled events from their leases, and ends empty leases. */
    private void shrinkLeases() throws SQLException {
        List<Long> over = new ArrayList<>();
        PreparedStatement shrink = session.prepare(PostgresSql.SHRINK_LEASE);
        boolean shrunk = false;
        for (Map.Entry<Long, Lease> lease : touched.entrySet()) {
            Set<Long> held = lease.getValue().held();
            if (held.isEmpty()) {
                over.add(lease.getKey());
            } else {
                shrink.setInt(1, held.size());
                shrink.setArray(2, session.bigints(held));
                shrink.setLong(3, lease.getKey());
                shrink.addBatch();
                shrunk = true;
            }
        }
        if (shrunk) {
            shrink.executeBatch();
        }
        if (!over.isEmpty()) {
            PreparedStatement end = session.prepare(PostgresSql.END_LEASES);
            end.setArray(1, session.bigints(over));
            end.executeUpdate();
        }
    }
}
