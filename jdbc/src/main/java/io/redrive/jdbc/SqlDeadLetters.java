package io.redrive.jdbc;

import io.redrive.events.ActionFilter;
import io.redrive.events.Causes;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import io.redrive.events.RedriveRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Dead letters in a database of either dialect: checks the arguments, then reads or changes in a transaction. */
final class SqlDeadLetters implements DeadLetters {

    private final Transactions transactions;
    private final PublishLimits limits;
    private final Runnable redriven;

    SqlDeadLetters(Transactions transactions, PublishLimits limits, Runnable redriven) {
        this.transactions = transactions;
        this.limits = limits;
        this.redriven = redriven;
    }

    /** Transactions of a dialect. */
    interface Transactions {
        <T> T read(SqlWork<SqlSession, T> work);

        /** Runs work that writes about {@code bytes} bytes of payload. */
        <T> T write(long bytes, SqlWork<LetterSession, T> work);

        /** Returns the present by the clock that counts: the caller's, or the server's. */
        Instant now(SqlSession session, Instant callers) throws SQLException;

        /** Runs a turn of a redrive operation. */
        <T> T turn(SqlWork<LetterSession, T> work);
    }

    @Override
    public List<DeadLetter> list(LetterFilter filter, long afterId, int limit) {
        requirePage(limit);
        return transactions.read(session -> LetterReads.list(session, filter, afterId, limit));
    }

    @Override
    public List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit) {
        requirePage(limit);
        return transactions.read(session -> LetterReads.newest(session, filter, beforeId, limit));
    }

    @Override
    public List<DeadLetter> listWithHistory(LetterFilter filter, long afterId, int limit) {
        requirePage(limit);
        return transactions.read(session -> LetterReads.listWithHistory(session, filter, afterId, limit));
    }

    @Override
    public long count(LetterFilter filter) {
        return transactions.read(session -> LetterReads.count(session, filter));
    }

    @Override
    public Map<String, Long> countByCause(Collection<String> fingerprints) {
        List<String> asked = List.copyOf(fingerprints);
        return asked.isEmpty() ? Map.of() : transactions.read(session -> LetterCounts.ofCauses(session, asked));
    }

    @Override
    public List<LetterGroup> groups(LetterFilter filter, int limit) {
        requirePage(limit);
        return transactions.read(session -> LetterReads.groups(session, filter, limit));
    }

    @Override
    public Optional<DeadLetter> find(long id) {
        return transactions.read(session -> LetterReads.find(session, id));
    }

    @Override
    public boolean edit(long id, byte[] payload, OperatorCommand command, Instant now) {
        limits.requirePayload(payload.length, "the edit of letter " + id);
        return transactions.write(payload.length, session -> LetterWrites.edit(session, id, payload, command, now));
    }

    @Override
    public Set<Long> replace(List<PayloadChange> changes, String action, OperatorCommand command, Instant now) {
        List<PayloadChange> checked = PayloadChange.page(changes);
        long bytes = 0;
        for (PayloadChange change : checked) {
            limits.requirePayload(change.after().length, "the " + action + " of letter " + change.letter());
            bytes += change.before().length + change.after().length;
        }
        return transactions.write(bytes, session -> LetterWrites.replace(session, checked, action, command, now));
    }

    @Override
    public List<LetterVersion> versions(long id) {
        return transactions.read(session -> VersionRows.of(session, id));
    }

    @Override
    public int redrive(RedriveRequest request) {
        int letters = transactions.write(0, session -> LetterWrites.redrive(session, request));
        if (letters > 0) {
            redriven.run();
        }
        return letters;
    }

    @Override
    public int purge(LetterFilter filter, int limit, OperatorCommand command, Instant now) {
        if (limit < 1) {
            throw new IllegalArgumentException("purge limit must be at least 1, got " + limit);
        }
        return transactions.write(0, session -> LetterWrites.purge(session, filter, limit, command, now));
    }

    @Override
    public int retire(List<DeadLetter> exported, OperatorCommand command, Instant now) {
        List<DeadLetter> checked = List.copyOf(exported);
        if (checked.isEmpty()) {
            return 0;
        }
        requirePage(checked.size());
        return transactions.write(0, session -> LetterWrites.retire(session, checked, command, now));
    }

    @Override
    public int importLetters(List<DeadLetter> letters, OperatorCommand command, Instant now) {
        List<DeadLetter> checked = List.copyOf(letters);
        for (DeadLetter letter : checked) {
            limits.requirePayload(letter.event().payloadSize(), "the letter of event " + letter.event());
        }
        long bytes = PublishLimits.bytes(checked.stream().map(DeadLetter::event).toList());
        return transactions.write(bytes, session -> LetterWrites.importAll(session, checked, command, now));
    }

    SqlLetterOutbox outbox() {
        return new SqlLetterOutbox(transactions);
    }

    @Override
    public Causes causes() {
        return new SqlCauses(transactions);
    }

    @Override
    public List<OperatorAction> actions(ActionFilter filter, int limit) {
        requirePage(limit);
        return transactions.read(session -> ActionRows.newest(session, filter, limit));
    }

    @Override
    public void record(OperatorCommand command, String action, String outcome, Instant now) {
        transactions.write(0, session -> {
            ActionRows.change(session, command, action, now, row -> row.withOutcome(outcome, now));
            return command;
        });
    }

    static void requirePage(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_PAGE + ", got " + limit);
        }
    }
}
