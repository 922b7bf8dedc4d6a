package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.Settlement.Done;
import io.redrive.events.StoreException;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.PastFailure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The journal in a database: reads {@code journal_…} tables, and adds to them in the transaction of a settlement. {@link
 * JournalRows} has the layout.
 */
final class SqlJournal implements Journal {

    private static final Logger LOG = System.getLogger(SqlJournal.class.getName());
    /** Segments read by one query. */
    private static final int SEGMENTS_AT_ONCE = 100;

    private static final Comparator<FinishedEvent> NEWEST_FIRST =
            Comparator.comparing(FinishedEvent::finished).reversed();

    private final JournalTransactions transactions;
    private final Duration retention;
    /** Events and blocks of this object that may not be gathered yet. */
    private final AtomicInteger waitingEvents = new AtomicInteger();

    private final AtomicInteger waitingBlocks = new AtomicInteger();

    SqlJournal(JournalTransactions transactions, Duration retention) {
        this.transactions = transactions;
        this.retention = retention;
    }

    @Override
    public Duration retention() {
        return retention;
    }

    /** Reads the origins of redriven events, by position; must run before the events are removed. */
    Map<Long, Long> origins(SqlSession session, List<Claim> claims) throws SQLException {
        Map<Long, Long> origins = new HashMap<>();
        for (Claim claim : claims) {
            if (isOn() && claim.redrives() > 0) {
                PreparedStatement origin = session.prepare(JournalSql.ORIGIN);
                origin.setLong(1, claim.position());
                try (ResultSet row = origin.executeQuery()) {
                    if (row.next()) {
                        origins.put(claim.position(), row.getLong(1));
                    }
                }
            }
        }
        return origins;
    }

    /** Adds events that were settled as done, in the transaction of the settlement. */
    void add(SqlSession session, List<Done> done, Map<Long, Long> origins, long now) throws SQLException {
        if (isOn() && !done.isEmpty()) {
            JournalRows.add(session, done, origins, now, Micros.between(Instant.EPOCH, Instant.EPOCH.plus(retention)));
        }
    }

    /** Gathers blocks when this object has added enough of them. Called after the commit of a settlement. */
    void added(int events) {
        if (!isOn() || events == 0) {
            return;
        }
        if (waitingEvents.addAndGet(events) >= JournalRows.EVENTS_TO_GATHER
                || waitingBlocks.incrementAndGet() >= JournalRows.BLOCKS_TO_GATHER) {
            waitingEvents.set(0);
            waitingBlocks.set(0);
            try {
                transactions.write(JournalRows::gather);
            } catch (StoreException e) {
                // The settlement is committed and must not look failed; the next one gathers these blocks too.
                LOG.log(Level.WARNING, "finished events could not be gathered: " + e.getMessage());
            }
        }
    }

    /** Gathers waiting blocks, and removes some of the events past their retention. Returns the number of those. */
    int expire(Instant now) {
        int gathered = transactions.write(JournalRows::gather);
        while (gathered > 0) {
            gathered = transactions.write(JournalRows::gather);
        }
        return transactions.write(session -> JournalRows.expire(session, transactions.now(session, now)));
    }

    @Override
    public List<FinishedEvent> find(EventQuery query, int limit) {
        SqlDeadLetters.requirePage(limit);
        long hash = JournalIndex.hash(query);
        return transactions.read(session -> {
            Found found = new Found(limit, event -> event.matches(query));
            readBlocks(session, Long.MIN_VALUE, found);
            long before = Long.MAX_VALUE;
            while (!found.isFull()) {
                List<Hit> hits = hits(session, hash, before);
                for (Hit hit : hits) {
                    for (int page : JournalIndex.pages(hit.hashes(), hash)) {
                        if (!found.isFull()) {
                            readPage(session, JournalIndex.page(hit.segment(), page), found);
                        }
                    }
                    before = hit.segment();
                }
                if (hits.size() < SEGMENTS_AT_ONCE) {
                    break;
                }
            }
            return found.newestFirst();
        });
    }

    @Override
    public List<FinishedEvent> latest(Instant notBefore, int limit) {
        SqlDeadLetters.requirePage(limit);
        long from = Micros.of(notBefore);
        return transactions.read(session -> {
            Found found = new Found(limit, event -> !event.finished().isBefore(notBefore));
            readBlocks(session, from, found);
            long before = Long.MAX_VALUE;
            while (!found.isFull()) {
                Optional<Long> segment = segmentBefore(session, before, from);
                if (segment.isEmpty()) {
                    break;
                }
                readPages(session, segment.get(), found);
                before = segment.get();
            }
            return found.newestFirst();
        });
    }

    @Override
    public List<PastFailure> failures(FinishedEvent event) {
        return transactions.read(session -> {
            PreparedStatement failures = session.prepare(JournalSql.FAILURES);
            failures.setLong(1, event.origin());
            List<PastFailure> records = new ArrayList<>();
            try (ResultSet row = failures.executeQuery()) {
                while (row.next()) {
                    records.add(failure(EventRows.attempt(row)));
                }
            }
            return records;
        });
    }

    private static PastFailure failure(AttemptRecord attempt) {
        return new PastFailure(
                attempt.number(),
                attempt.at(),
                attempt.node(),
                attempt.duration(),
                attempt.errorType(),
                attempt.message(),
                attempt.decision());
    }

    @Override
    public Optional<Instant> since() {
        return transactions.read(session -> first(session, JournalSql.FIRST_SEGMENT_AT)
                .or(() -> first(session, JournalSql.FIRST_BLOCK_AT))
                .map(Micros::toInstant));
    }

    private static Optional<Long> first(SqlSession session, String sql) {
        try (ResultSet row = session.prepare(sql).executeQuery()) {
            return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
        } catch (SQLException e) {
            throw new StoreException("the journal cannot be read: " + e.getMessage(), e);
        }
    }

    /** The events of an answer. */
    private static final class Found {
        private final int limit;
        private final Predicate<FinishedEvent> wanted;
        private final List<FinishedEvent> events = new ArrayList<>();

        Found(int limit, Predicate<FinishedEvent> wanted) {
            this.limit = limit;
            this.wanted = wanted;
        }

        boolean isFull() {
            return events.size() >= limit;
        }

        /** Adds the wanted events of a pack, the last first. */
        void add(byte[] packed) {
            List<FinishedEvent> all = PackedEvents.unpack(packed);
            for (int i = all.size() - 1; i >= 0 && !isFull(); i--) {
                if (wanted.test(all.get(i))) {
                    events.add(all.get(i));
                }
            }
        }

        List<FinishedEvent> newestFirst() {
            events.sort(NEWEST_FIRST);
            return events;
        }
    }

    private static void readBlocks(SqlSession session, long from, Found found) throws SQLException {
        PreparedStatement blocks = session.prepare(JournalSql.BLOCKS_NEWEST_FIRST);
        blocks.setFetchSize(SEGMENTS_AT_ONCE);
        blocks.setLong(1, from);
        try (ResultSet row = blocks.executeQuery()) {
            while (!found.isFull() && row.next()) {
                found.add(row.getBytes(1));
            }
        }
    }

    private static void readPage(SqlSession session, long page, Found found) throws SQLException {
        PreparedStatement read = session.prepare(JournalSql.PAGE);
        read.setLong(1, page);
        try (ResultSet row = read.executeQuery()) {
            if (row.next()) {
                found.add(row.getBytes(1));
            }
        }
    }

    private static void readPages(SqlSession session, long segment, Found found) throws SQLException {
        PreparedStatement read = session.prepare(JournalSql.PAGES_LAST_FIRST);
        read.setFetchSize(SEGMENTS_AT_ONCE);
        read.setLong(1, JournalIndex.page(segment, 0));
        read.setLong(2, JournalIndex.page(segment + 1, 0));
        try (ResultSet row = read.executeQuery()) {
            while (!found.isFull() && row.next()) {
                found.add(row.getBytes(1));
            }
        }
    }

    private static Optional<Long> segmentBefore(SqlSession session, long before, long from) throws SQLException {
        PreparedStatement latest = session.prepare(JournalSql.LATEST_SEGMENTS);
        latest.setLong(1, before);
        latest.setLong(2, from);
        latest.setInt(3, 1);
        try (ResultSet row = latest.executeQuery()) {
            return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
        }
    }

    /** A segment whose index has the hash. */
    private record Hit(long segment, byte[] hashes) {}

    private static List<Hit> hits(SqlSession session, long hash, long before) throws SQLException {
        PreparedStatement find = session.prepare(
                session.dialect() == Dialect.SQLITE ? JournalSql.SQLITE_FIND : JournalSql.POSTGRES_FIND);
        find.setLong(1, hash);
        find.setBytes(2, JournalIndex.bytes(hash));
        find.setLong(3, before);
        find.setInt(4, SEGMENTS_AT_ONCE);
        List<Hit> hits = new ArrayList<>();
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                hits.add(new Hit(row.getLong(1), row.getBytes(2)));
            }
        }
        return hits;
    }
}
