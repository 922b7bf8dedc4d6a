package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import io.redrive.events.Settlement.Dead;
import io.redrive.events.Settlement.Done;
import io.redrive.events.Settlement.Release;
import io.redrive.events.Settlement.Retry;
import io.redrive.events.Settlement.Snooze;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Settles. The settlements of a call are sorted by kind, and each kind is one batch of a fenced statement: a changed
 * row was held by this claim, an unchanged row means a stale claim. History, leases and the next event of an ordering
 * key follow only from changed rows.
 */
final class SqliteSettlements {

    private final SqliteSession session;
    private final List<Settlement> settlements;
    private final long now;
    private final SqlJournal journal;

    private final boolean[] applied;
    private final Map<Long, Integer> settledByToken = new HashMap<>();
    private final Set<String> freedKeys = new LinkedHashSet<>();

    private SqliteSettlements(SqliteSession session, List<Settlement> settlements, Instant now, SqlJournal journal) {
        this.session = session;
        this.settlements = settlements;
        this.now = Micros.of(now);
        this.journal = journal;
        applied = new boolean[settlements.size()];
    }

    /** Returns the stale claims. */
    static List<Claim> settle(SqliteSession session, List<Settlement> settlements, Instant now, SqlJournal journal)
            throws SQLException {
        return new SqliteSettlements(session, settlements, now, journal).settle();
    }

    /** A settlement and its index in the call. */
    private record Placed<S extends Settlement>(int index, S settlement) {
        Claim claim() {
            return settlement.claim();
        }
    }

    private record Fence(long position, long token) {}

    private List<Claim> settle() throws SQLException {
        ByKind sorted = byKind();
        finish(sorted.done);
        retry(sorted.retries);
        bury(sorted.dead);
        apply(SqliteSql.RELEASE, sorted.releases, (statement, release) -> statement.setLong(3, now));
        apply(SqliteSql.SNOOZE, sorted.snoozes, (statement, snooze) -> {
            statement.setLong(3, Micros.of(snooze.due()));
            statement.setInt(4, snooze.cause().ordinal());
            statement.setLong(5, now);
        });
        endLeases();
        unblock();
        return stale();
    }

    private ByKind byKind() {
        ByKind sorted = new ByKind();
        Set<Fence> seen = new HashSet<>();
        for (int i = 0; i < settlements.size(); i++) {
            Settlement settlement = settlements.get(i);
            Claim claim = settlement.claim();
            // Of two settlements of one claim the first counts; the second is left out and so is stale.
            if (seen.add(new Fence(claim.position(), claim.token()))) {
                sorted.index = i;
                settlement.match(sorted, ByKind.SORT);
            }
        }
        return sorted;
    }

    /** The settlements of a call, sorted by kind. */
    private static final class ByKind {

        static final Settlement.Cases<ByKind> SORT = new Settlement.Cases<>() {
            @Override
            public void done(Done done, ByKind sorted) {
                sorted.done.add(new Placed<>(sorted.index, done));
            }

            @Override
            public void retry(Retry retry, ByKind sorted) {
                sorted.retries.add(new Placed<>(sorted.index, retry));
            }

            @Override
            public void dead(Dead dead, ByKind sorted) {
                sorted.dead.add(new Placed<>(sorted.index, dead));
            }

            @Override
            public void release(Release release, ByKind sorted) {
                sorted.releases.add(new Placed<>(sorted.index, release));
            }

            @Override
            public void snooze(Snooze snooze, ByKind sorted) {
                sorted.snoozes.add(new Placed<>(sorted.index, snooze));
            }
        };

        final List<Placed<Done>> done = new ArrayList<>();
        final List<Placed<Retry>> retries = new ArrayList<>();
        final List<Placed<Dead>> dead = new ArrayList<>();
        final List<Placed<Release>> releases = new ArrayList<>();
        final List<Placed<Snooze>> snoozes = new ArrayList<>();

        /** Index in the call of the settlement that is being sorted. */
        int index;
    }

    private void finish(List<Placed<Done>> done) throws SQLException {
        if (!journal.isOn()) {
            List<Placed<Done>> withHistory = done.stream()
                    .filter(it ->
                            it.claim().attempts().failed() > 0 || it.claim().redrives() > 0)
                    .toList();
            batch(SqliteSql.FORGET_ATTEMPTS, withHistory, (statement, settlement) -> {});
        }
        Map<Long, Long> origins =
                journal.origins(session, done.stream().map(Placed::claim).toList());
        List<Placed<Done>> finished = apply(SqliteSql.DONE, done, (statement, settlement) -> {});
        journal.add(session, finished.stream().map(Placed::settlement).toList(), origins, now);
        free(finished);
    }

    private void retry(List<Placed<Retry>> retries) throws SQLException {
        List<Placed<Retry>> retried = apply(SqliteSql.RETRY, retries, (statement, retry) -> {
            long due = Micros.of(retry.due());
            long delay = EventRows.nanos(retry.delay());
            statement.setLong(3, due);
            statement.setLong(4, delay);
            // The time of the decision: the clock may have been set back since.
            statement.setLong(5, due - TimeUnit.NANOSECONDS.toMicros(delay));
        });
        for (Placed<Retry> retry : retried) {
            record(retry.claim(), retry.settlement().attempt());
        }
    }

    private void bury(List<Placed<Dead>> dead) throws SQLException {
        if (dead.isEmpty()) {
            return;
        }
        Map<String, String> filed = CauseRows.filedUnder(
                session,
                dead.stream().map(each -> each.settlement().fingerprint()).toList());
        List<Placed<Dead>> buried = apply(SqliteSql.BURY, dead, (statement, letter) -> {
            statement.setString(3, letter.reason().code());
            statement.setString(4, orEmpty(letter.attempt().errorType()));
            statement.setString(5, orEmpty(letter.attempt().message()));
            statement.setString(6, filed.get(letter.fingerprint()));
            statement.setString(7, letter.service());
            statement.setLong(8, now);
            statement.setString(9, EventRows.redactedHeaders(letter));
            statement.setBytes(10, EventRows.redactedPayload(letter));
        });
        for (Placed<Dead> letter : buried) {
            record(letter.claim(), letter.settlement().attempt());
        }
        batch(SqliteSql.DONE, buried, (statement, settlement) -> {});
        CauseRows.saw(session, buried.stream().map(Placed::settlement).toList(), filed, now);
        free(buried);
    }

    /** Binds the parameters after the fence. */
    private interface Binder<S extends Settlement> {
        void bind(PreparedStatement statement, S settlement) throws SQLException;
    }

    /** Runs a fenced statement for each settlement and returns the settlements that were not stale. */
    private <S extends Settlement> List<Placed<S>> apply(String sql, List<Placed<S>> placed, Binder<S> binder)
            throws SQLException {
        int[] changes = batch(sql, placed, binder);
        List<Placed<S>> fresh = new ArrayList<>(placed.size());
        for (int i = 0; i < changes.length; i++) {
            if (changes[i] > 0) {
                Placed<S> settled = placed.get(i);
                applied[settled.index()] = true;
                settledByToken.merge(settled.claim().token(), 1, Integer::sum);
                fresh.add(settled);
            }
        }
        return fresh;
    }

    private <S extends Settlement> int[] batch(String sql, List<Placed<S>> placed, Binder<S> binder)
            throws SQLException {
        if (placed.isEmpty()) {
            return new int[0];
        }
        PreparedStatement statement = session.prepare(sql);
        for (Placed<S> each : placed) {
            statement.setLong(1, each.claim().position());
            statement.setLong(2, each.claim().token());
            binder.bind(statement, each.settlement());
            statement.addBatch();
        }
        return statement.executeBatch();
    }

    private void record(Claim claim, AttemptRecord attempt) throws SQLException {
        PreparedStatement statement = session.prepare(SqliteSql.RECORD_ATTEMPT);
        statement.setLong(1, claim.position());
        EventRows.bindAttempt(statement, attempt);
        statement.executeUpdate();
    }

    private <S extends Settlement> void free(List<Placed<S>> gone) {
        for (Placed<S> each : gone) {
            each.claim().event().orderingKey().ifPresent(freedKeys::add);
        }
    }

    private void endLeases() throws SQLException {
        for (Map.Entry<Long, Integer> settled : settledByToken.entrySet()) {
            SqliteClaims.settled(session, settled.getKey(), settled.getValue());
        }
    }

    private void unblock() throws SQLException {
        for (String key : freedKeys) {
            PreparedStatement unblock = session.prepare(SqliteSql.UNBLOCK_NEXT);
            unblock.setString(1, key);
            unblock.executeUpdate();
        }
    }

    private List<Claim> stale() {
        List<Claim> stale = new ArrayList<>();
        for (int i = 0; i < applied.length; i++) {
            if (!applied[i]) {
                stale.add(settlements.get(i).claim());
            }
        }
        return stale;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
