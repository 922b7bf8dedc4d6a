package io.redrive.jdbc;

import io.redrive.events.LetterOutbox;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Notes of letters in a database of either dialect. Triggers write the notes. */
record SqlLetterOutbox(SqlDeadLetters.Transactions transactions) implements LetterOutbox {

    /** How stale the time of the last sender may be: a sender looks often, and the time changes this often. */
    private static final Duration SEEN_STEP = Duration.ofHours(1);

    private static final String OPEN = """
        INSERT INTO redrive.letter_outboxes AS known (name, seen_at) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at WHERE known.seen_at < excluded.seen_at
        """;

    private static final String STALE = "SELECT 1 FROM redrive.letter_outboxes WHERE name = ? AND seen_at < ?";

    private static final String SEEN = "UPDATE redrive.letter_outboxes SET seen_at = ? WHERE name = ? AND seen_at < ?";

    private static final String LOOK = """
        SELECT letter FROM redrive.letter_notes WHERE outbox = ? AND taken_until <= ? ORDER BY letter LIMIT 1
        """;

    /** The outer condition on the lease is judged again after waiting for another sender's update. */
    private static final String TAKE = """
        UPDATE redrive.letter_notes SET taken_until = ?
        WHERE outbox = ? AND taken_until <= ? AND letter IN (
            SELECT letter FROM redrive.letter_notes WHERE outbox = ? AND taken_until <= ? ORDER BY letter LIMIT ?)
        RETURNING letter
        """;

    private static final String SENT = "DELETE FROM redrive.letter_notes WHERE outbox = ? AND letter = ?";

    private static final String WAITING = "SELECT count(*) FROM redrive.letter_notes WHERE outbox = ?";

    private static final String CLOSE = "DELETE FROM redrive.letter_outboxes WHERE name = ?";

    private static final String EMPTY = "DELETE FROM redrive.letter_notes WHERE outbox = ?";

    @Override
    public void open(String name, Instant now) {
        LetterOutbox.requireName(name);
        transactions.write(0, session -> {
            PreparedStatement open = session.prepare(OPEN);
            open.setString(1, name);
            open.setLong(2, Micros.of(now));
            return open.executeUpdate();
        });
    }

    @Override
    public List<Long> take(String name, int limit, Duration lease, Instant now) {
        LetterOutbox.requireLimit(limit);
        // Most looks find nothing, and a read waits for no writer.
        boolean found = transactions.read(session -> {
            PreparedStatement look = session.prepare(LOOK);
            look.setString(1, name);
            look.setLong(2, Micros.of(now));
            return !ids(look).isEmpty();
        });
        seen(name, now);
        return found ? transactions.write(0, session -> taken(session, name, limit, lease, now)) : List.of();
    }

    private void seen(String name, Instant now) {
        long stale = Micros.of(now.minus(SEEN_STEP));
        boolean due = transactions.read(session -> {
            PreparedStatement seen = session.prepare(STALE);
            seen.setString(1, name);
            seen.setLong(2, stale);
            return !ids(seen).isEmpty();
        });
        if (due) {
            transactions.write(0, session -> {
                PreparedStatement seen = session.prepare(SEEN);
                seen.setLong(1, Micros.of(now));
                seen.setString(2, name);
                seen.setLong(3, Micros.of(now));
                return seen.executeUpdate();
            });
        }
    }

    private static List<Long> taken(LetterSession session, String name, int limit, Duration lease, Instant now)
            throws SQLException {
        PreparedStatement take = session.prepare(TAKE);
        take.setLong(1, Micros.of(now.plus(lease)));
        take.setString(2, name);
        take.setLong(3, Micros.of(now));
        take.setString(4, name);
        take.setLong(5, Micros.of(now));
        take.setInt(6, limit);
        return ids(take).stream().sorted().toList();
    }

    private static List<Long> ids(PreparedStatement query) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
        return ids;
    }

    @Override
    public void sent(String name, Collection<Long> letters) {
        List<Long> ids = List.copyOf(letters);
        if (ids.isEmpty()) {
            return;
        }
        transactions.write(0, session -> {
            PreparedStatement sent = session.prepare(SENT);
            for (long letter : ids) {
                sent.setString(1, name);
                sent.setLong(2, letter);
                sent.addBatch();
            }
            return sent.executeBatch().length;
        });
    }

    @Override
    public long waiting(String name) {
        return transactions.read(session -> {
            PreparedStatement waiting = session.prepare(WAITING);
            waiting.setString(1, name);
            return ids(waiting).get(0);
        });
    }

    @Override
    public void close(String name) {
        transactions.write(0, session -> {
            PreparedStatement close = session.prepare(CLOSE);
            close.setString(1, name);
            close.executeUpdate();
            PreparedStatement empty = session.prepare(EMPTY);
            empty.setString(1, name);
            return empty.executeUpdate();
        });
    }
}
