package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.RedriveRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Transactions on PostgreSQL's dead letters. */
record PostgresLetterTransactions(PostgresDatabase database, PostgresClock clock)
        implements SqlDeadLetters.Transactions {

    private static final String IMPORTS = "imports";
    private static final String STARTS = "redrive starts";

    @Override
    public <T> T read(SqlWork<SqlSession, T> work) {
        return database.snapshot(work::run);
    }

    @Override
    public <T> T write(long bytes, SqlWork<LetterSession, T> work) {
        return database.transaction(session -> work.run(new Changing(session, clock)));
    }

    @Override
    public Instant now(SqlSession session, Instant callers) throws SQLException {
        return present(session, clock);
    }

    private static Instant present(SqlSession session, PostgresClock clock) throws SQLException {
        PreparedStatement read = session.prepare(PostgresSql.NOW);
        clock.bind(read, 1);
        try (ResultSet row = read.executeQuery()) {
            row.next();
            return Micros.toInstant(row.getLong(1));
        }
    }

    /** In a transaction that ends when its client vanishes: other nodes wait for the operation. */
    @Override
    public <T> T turn(SqlWork<LetterSession, T> work) {
        return database.hotTransaction(session -> work.run(new Changing(session, clock)));
    }

    private record Changing(PostgresSession session, PostgresClock clock) implements LetterSession {

        @Override
        public PreparedStatement prepare(String sql) throws SQLException {
            return session.prepare(sql);
        }

        @Override
        public Dialect dialect() {
            return session.dialect();
        }

        @Override
        public List<Long> nextPositions(int count) throws SQLException {
            PreparedStatement next = session.prepare(PostgresSql.NEXT_POSITIONS);
            next.setInt(1, count);
            List<Long> positions = new ArrayList<>(count);
            try (ResultSet row = next.executeQuery()) {
                while (row.next()) {
                    positions.add(row.getLong(1));
                }
            }
            Collections.sort(positions);
            return positions;
        }

        @Override
        public Set<List<String>> known(List<Event> events) throws SQLException {
            PreparedStatement find = session.prepare(PostgresSql.KNOWN_LETTERS);
            find.setArray(1, session.texts(events, Event::id));
            find.setArray(2, session.texts(events, EventRows::correlationId));
            Set<List<String>> known = new HashSet<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    known.add(List.of(row.getString(1), row.getString(2)));
                }
            }
            return known;
        }

        @Override
        public void insert(List<DeadLetter> letters, List<Long> origins) throws SQLException {
            PostgresLetterCopy copy = new PostgresLetterCopy();
            for (int i = 0; i < letters.size(); i++) {
                copy.add(letters.get(i), origins.get(i));
            }
            copy.sendTo(session);
        }

        @Override
        public void revive(List<Long> ids, List<Long> positions, RedriveRequest request) throws SQLException {
            PreparedStatement revive = session.prepare(PostgresSql.REVIVE);
            clock.bind(revive, 1);
            revive.setArray(2, session.bigints(ids));
            revive.setArray(3, session.bigints(positions));
            revive.setInt(4, request.automatic() ? 1 : 0);
            revive.setString(5, request.batch());
            revive.setArray(6, session.bigints(ids));
            revive.executeUpdate();
        }

        @Override
        public void forgetKeys(List<Long> ids) throws SQLException {
            PreparedStatement forget = session.prepare(PostgresSql.FORGET_KEYS_OF_LETTERS);
            forget.setArray(1, session.bigints(ids));
            forget.executeUpdate();
        }

        @Override
        public Instant now(Instant callers) throws SQLException {
            return present(session, clock);
        }

        @Override
        public void lockStarts() throws SQLException {
            lock(STARTS);
        }

        @Override
        public void lockImports() throws SQLException {
            lock(IMPORTS);
        }

        private void lock(String name) throws SQLException {
            PreparedStatement lock = session.prepare(PostgresSql.LOCK);
            lock.setLong(1, session.schema().lock(name));
            lock.execute();
        }
    }
}
