package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveProgress;
import io.redrive.events.RedriveRequest;
import io.redrive.jdbc.GroupCommitWriter.Sync;
import io.redrive.jdbc.GroupCommitWriter.Work;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The cold port: checks what is asked, then looks through the readers or changes through the writer. */
final class SqliteDeadLetters implements DeadLetters {

    private static final int MAX_OPERATOR = 200;

    private final GroupCommitWriter writer;
    private final SqliteReaders readers;
    private final SqlitePublish limits;
    private final Runnable redriven;

    SqliteDeadLetters(GroupCommitWriter writer, SqliteReaders readers, SqlitePublish limits, Runnable redriven) {
        this.writer = writer;
        this.readers = readers;
        this.limits = limits;
        this.redriven = redriven;
    }

    @Override
    public List<DeadLetter> list(LetterFilter filter, long afterId, int limit) {
        requirePage(limit);
        return readers.read(session -> SqliteLetterReads.list(session, filter, afterId, limit));
    }

    @Override
    public long count(LetterFilter filter) {
        return readers.read(session -> SqliteLetterReads.count(session, filter));
    }

    @Override
    public List<LetterGroup> groups(LetterFilter filter, int limit) {
        requirePage(limit);
        return readers.read(session -> SqliteLetterReads.groups(session, filter, limit));
    }

    @Override
    public Optional<DeadLetter> find(long id) {
        return readers.read(session -> SqliteLetterReads.find(session, id));
    }

    @Override
    public boolean edit(long id, byte[] payload, String operator, Instant now) {
        requireOperator(operator);
        limits.requirePayload(payload.length, "the edit of letter " + id);
        return write(payload.length, session -> SqliteLetterWrites.edit(session, id, payload, operator, now));
    }

    @Override
    public int redrive(RedriveRequest request) {
        int letters = write(0, session -> SqliteLetterWrites.redrive(session, request));
        if (letters > 0) {
            redriven.run();
        }
        return letters;
    }

    @Override
    public RedriveProgress progress(String batch) {
        return readers.read(session -> SqliteLetterReads.progress(session, batch));
    }

    @Override
    public int purge(LetterFilter filter, int limit, String operator, Instant now) {
        requireOperator(operator);
        if (limit < 1) {
            throw new IllegalArgumentException("purge limit must be at least 1, got " + limit);
        }
        OperatorAction action = new OperatorAction(now, operator, "purge", "deleted for good", 0);
        return write(0, session -> SqliteLetterWrites.purge(session, filter, limit, action));
    }

    @Override
    public int importLetters(List<DeadLetter> letters, String operator, Instant now) {
        requireOperator(operator);
        List<DeadLetter> checked = List.copyOf(letters);
        for (DeadLetter letter : checked) {
            limits.requirePayload(letter.event().payloadSize(), "the letter of event " + letter.event());
        }
        long bytes = SqlitePublish.bytes(checked.stream().map(DeadLetter::event).toList());
        OperatorAction action = new OperatorAction(now, operator, "import", checked.size() + " offered", 0);
        return write(bytes, session -> SqliteLetterWrites.importAll(session, checked, action));
    }

    @Override
    public List<OperatorAction> actions(int limit) {
        requirePage(limit);
        return readers.read(session -> SqliteLetterReads.actions(session, limit));
    }

    @Override
    public void record(OperatorAction action) {
        Objects.requireNonNull(action, "action");
        write(0, session -> {
            SqliteLetterWrites.record(session, action);
            return null;
        });
    }

    private <T> T write(long bytes, Work<T> work) {
        return writer.write(Sync.DURABLE, bytes, work);
    }

    private static void requirePage(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_PAGE + ", got " + limit);
        }
    }

    private static void requireOperator(String operator) {
        if (operator == null || operator.isBlank() || operator.length() > MAX_OPERATOR) {
            throw new IllegalArgumentException(
                    "operator must be 1 to " + MAX_OPERATOR + " characters, not blank; got '" + operator + "'");
        }
    }
}
