package io.redrive.jdbc;

import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
import io.redrive.jdbc.RedriveLetterRows.Candidate;
import io.redrive.jdbc.RedriveLetterRows.Conflict;
import io.redrive.jdbc.RedriveOperationRows.Stored;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Redrive operations in a database of either dialect. Letters are looked for outside of writing transactions. */
final class SqlRedrives implements Redrives {

    private static final Duration BUSY = Duration.ofSeconds(1);

    private final SqlDeadLetters.Transactions transactions;
    private final Runnable redriven;

    SqlRedrives(SqlDeadLetters.Transactions transactions, Runnable redriven) {
        this.transactions = transactions;
        this.redriven = redriven;
    }

    @Override
    public RedriveOperation select(RedriveOrder order, Instant now) {
        Stored stored = transactions
                .read(session -> RedriveOperationRows.find(session, order.id()))
                .orElseGet(() -> transactions.write(0, session -> begin(session, order, now)));
        if (!(stored.operation().state() instanceof RedriveState.Selecting)) {
            return stored.operation();
        }
        long room = order.plan().limit() - stored.operation().counts().selected();
        int most = (int) Math.min(room, SELECTED_AT_ONCE);
        List<Candidate> found = most == 0
                ? List.of()
                : transactions.read(session -> RedriveLetterRows.candidates(
                        session, order.filter().forRedrive(), stored.selectedUpTo(), stored.lastLetter(), most));
        Selection selection = transactions.write(0, session -> add(session, stored, found, now));
        if (selection.conflict().isPresent()) {
            Conflict conflict = selection.conflict().get();
            throw find(conflict.operation())
                    .map(other -> RedriveRefusedException.pending(conflict.letter(), other))
                    .orElseGet(() -> RedriveRefusedException.missing(conflict.operation()));
        }
        return selection.operation();
    }

    /** The operation after a call of select, or the conflict that ended it. */
    private record Selection(RedriveOperation operation, Optional<Conflict> conflict) {}

    private static Stored begin(LetterSession session, RedriveOrder order, Instant now) throws SQLException {
        RedriveOperationRows.begin(session, order, session.now(now));
        PreparedStatement dismiss = session.prepare(RedriveOperationRows.DISMISS_OLDEST);
        dismiss.setInt(1, MAX_KEPT);
        dismiss.executeUpdate();
        return RedriveOperationRows.find(session, order.id())
                .orElseThrow(() -> RedriveRefusedException.missing(order.id()));
    }

    private static Selection add(LetterSession session, Stored before, List<Candidate> found, Instant now)
            throws SQLException {
        String id = before.operation().id();
        Stored stored = RedriveOperationRows.locked(session, id).orElseThrow(() -> RedriveRefusedException.missing(id));
        boolean moved = stored.selectedUpTo() != before.selectedUpTo()
                || !stored.operation().state().equals(before.operation().state());
        if (moved) {
            return new Selection(stored.operation(), Optional.empty());
        }
        Optional<Conflict> conflict = RedriveLetterRows.conflict(session, found);
        if (conflict.isPresent()) {
            run(session, RedriveOperationRows.DISMISS, stored.number());
            return new Selection(stored.operation(), conflict);
        }
        RedriveLetterRows.add(session, stored.number(), found);
        Map<String, Long> causes = new HashMap<>();
        found.forEach(letter -> causes.merge(letter.cause(), 1L, Long::sum));
        Instant at = session.now(now);
        RedriveOperation operation = stored.operation().selected(causes, found.size() < SELECTED_AT_ONCE, at);
        RedriveOperationRows.update(session, stored.number(), operation, at);
        if (!found.isEmpty()) {
            run(
                    session,
                    RedriveOperationRows.SELECTED_UP_TO,
                    found.get(found.size() - 1).letter(),
                    stored.number());
        }
        return new Selection(operation, Optional.empty());
    }

    @Override
    public RedriveOperation change(String id, RedriveChange change, OperatorCommand command, Instant now) {
        return transactions.write(0, session -> changed(session, id, change, command, now));
    }

    private static RedriveOperation changed(
            LetterSession session, String id, RedriveChange change, OperatorCommand command, Instant now)
            throws SQLException {
        if (change == RedriveChange.START) {
            session.lockStarts();
        }
        Stored stored = RedriveOperationRows.locked(session, id).orElseThrow(() -> RedriveRefusedException.missing(id));
        Instant at = session.now(now);
        RedriveOperation before = stored.operation();
        RedriveOperation after = change.apply(before, command, at);
        if (change == RedriveChange.DISMISS) {
            run(session, RedriveOperationRows.DISMISS, stored.number());
        } else if (after.equals(before)) {
            return before;
        } else {
            RedriveOperationRows.update(session, stored.number(), after, at);
        }
        if (change == RedriveChange.START) {
            requireStartable(session, stored);
            run(session, RedriveOperationRows.START, stored.number());
        }
        if (before.times().started().isPresent()) {
            ActionRows.change(session, change.recorded(before, command), change.action(), at, row -> row);
        }
        if (after.times().started().isPresent()) {
            recordOutcome(session, after, at);
        }
        return after;
    }

    private static void requireStartable(LetterSession session, Stored stored) throws SQLException {
        // The operation itself is written as running by now.
        if (number(session.prepare(RedriveOperationRows.COUNT_SENDING)) > MAX_ACTIVE) {
            throw RedriveRefusedException.tooMany(stored.operation().id());
        }
        PreparedStatement active = session.prepare(RedriveOperationRows.SENDING);
        active.setLong(1, stored.startsBefore());
        for (Stored other : RedriveOperationRows.read(active)) {
            if (other.operation().causes().overlap(stored.operation().causes())) {
                throw RedriveRefusedException.startedMeanwhile(other.operation());
            }
        }
    }

    private static void recordOutcome(LetterSession session, RedriveOperation operation, Instant now)
            throws SQLException {
        ActionRows.change(
                session, operation.command(), "redrive", now, row -> row.withOutcome(operation.outcome(), now));
    }

    @Override
    public Optional<RedriveOperation> find(String id) {
        return transactions
                .read(session -> RedriveOperationRows.find(session, id))
                .map(Stored::operation);
    }

    @Override
    public List<RedriveOperation> list(int limit) {
        SqlDeadLetters.requirePage(limit);
        return transactions.read(session -> {
            PreparedStatement newest = session.prepare(RedriveOperationRows.NEWEST);
            newest.setInt(1, limit);
            return RedriveOperationRows.read(newest).stream()
                    .map(Stored::operation)
                    .toList();
        });
    }

    @Override
    public List<RedrivenLetter> letters(String id, long afterLetter, int limit) {
        SqlDeadLetters.requirePage(limit);
        return transactions.read(session -> {
            Optional<Stored> stored = RedriveOperationRows.find(session, id);
            return stored.isPresent()
                    ? RedriveLetterRows.list(session, stored.get().number(), afterLetter, limit)
                    : List.of();
        });
    }

    /** Reads first: while no operation is due, no node writes. */
    @Override
    public RedriveTurn turn(String node, Instant now) {
        Duration wait = transactions.read(session -> untilNext(session, now));
        if (wait.compareTo(Duration.ZERO) > 0) {
            return new RedriveTurn.Idle(wait);
        }
        Optional<RedriveTurn.Taken> taken = transactions.turn(session -> take(session, node, now));
        if (taken.filter(turn -> turn.sent() > 0).isPresent()) {
            redriven.run();
        }
        // Another node takes the turn just now.
        return taken.<RedriveTurn>map(turn -> turn).orElse(new RedriveTurn.Idle(BUSY));
    }

    private Duration untilNext(SqlSession session, Instant now) throws SQLException {
        try (ResultSet row = session.prepare(RedriveOperationRows.NEXT_TURNS).executeQuery()) {
            row.next();
            long first = row.getLong(1);
            if (row.wasNull()) {
                return RedriveTurn.LONGEST_WAIT;
            }
            Instant at = transactions.now(session, now);
            boolean setBack = row.getLong(2) > Micros.of(at.plus(RedriveTurn.LONGEST_WAIT));
            return setBack ? Duration.ZERO : Duration.between(at, Micros.toInstant(first));
        }
    }

    private static Optional<RedriveTurn.Taken> take(LetterSession session, String node, Instant now)
            throws SQLException {
        Instant at = session.now(now);
        PreparedStatement due = session.prepare(RedriveOperationRows.DUE + session.dialect().forUpdateSkipLocked);
        due.setLong(1, Micros.of(at));
        due.setLong(2, Micros.of(at.plus(RedriveTurn.LONGEST_WAIT)));
        List<Stored> found = RedriveOperationRows.read(due);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Stored stored = found.get(0);
        RedriveOperation before = stored.operation();
        RedriveTurn.Taken taken =
                RedriveTurn.take(before, new RedriveLetterRows.InTurn(session, stored.number(), before, at), node, at);
        if (taken.operation().hasNewsSince(before)) {
            recordOutcome(session, taken.operation(), at);
        }
        RedriveOperationRows.update(session, stored.number(), taken.operation(), at);
        return Optional.of(taken);
    }

    @Override
    public int sweep(Instant now) {
        long work = transactions.read(session -> {
            PreparedStatement has = session.prepare(RedriveOperationRows.HAS_SWEEP);
            has.setLong(1, Micros.of(transactions.now(session, now).minus(PREVIEW_KEPT)));
            return number(has);
        });
        return work == 0 ? 0 : transactions.write(0, session -> swept(session, now));
    }

    private static int swept(LetterSession session, Instant now) throws SQLException {
        Instant before = session.now(now).minus(PREVIEW_KEPT);
        int abandoned = run(session, RedriveOperationRows.DISMISS_ABANDONED, Micros.of(before));
        long dismissed = number(session.prepare(RedriveOperationRows.DISMISSED));
        if (dismissed == 0) {
            return abandoned;
        }
        PreparedStatement remove = session.prepare(RedriveOperationRows.REMOVE_LETTERS);
        remove.setLong(1, dismissed);
        remove.setLong(2, dismissed);
        remove.setInt(3, SWEPT_AT_ONCE);
        int letters = remove.executeUpdate();
        return abandoned
                + letters
                + (letters < SWEPT_AT_ONCE ? run(session, RedriveOperationRows.REMOVE, dismissed) : 0);
    }

    private static int run(SqlSession session, String sql, long... values) throws SQLException {
        PreparedStatement statement = session.prepare(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setLong(i + 1, values[i]);
        }
        return statement.executeUpdate();
    }

    private static long number(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
