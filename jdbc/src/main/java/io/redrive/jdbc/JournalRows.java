package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.Settlement.Done;
import io.redrive.events.journal.FinishedEvent;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes the journal: adds a block for each settlement, gathers blocks into a segment, and removes what is past its
 * retention.
 *
 * <p>A row for each finished event, with indexes by id, correlation id and ordering key, was rejected: three entries at
 * random places of large indexes cost more than the rest of the settlement. A block is one row, written at the end of
 * its table. Gathering writes each event once more, also at the end of tables, with one sorted index for thousands of
 * events. A search looks once into the index of each segment.
 */
final class JournalRows {

    /** Gathered when so many events, or so many blocks, wait. */
    static final int EVENTS_TO_GATHER = 8_192;

    static final int BLOCKS_TO_GATHER = 1_024;

    private static final int EVENTS_OF_A_PAGE = 64;
    /** The number of a page has one byte. */
    private static final int EVENTS_OF_A_SEGMENT = EVENTS_OF_A_PAGE * 256;

    private static final int BLOCKS_EXPIRED_AT_ONCE = 64;

    private JournalRows() {}

    /** A block, without its events. */
    private record Block(long number, int events, long finishedAt, long keepUntil) {}

    /** Adds settled events, with the origins of redriven events by position, to the journal. */
    static void add(SqlSession session, List<Done> done, Map<Long, Long> origins, long now, long retention)
            throws SQLException {
        List<FinishedEvent> events = new ArrayList<>(done.size());
        Instant finished = Micros.toInstant(now);
        for (Done each : done) {
            events.add(finished(each, origins, finished));
        }
        PreparedStatement add = session.prepare(JournalSql.ADD_BLOCK);
        add.setInt(1, events.size());
        add.setLong(2, now);
        add.setLong(3, now + retention);
        add.setBytes(4, PackedEvents.pack(events));
        add.executeUpdate();
        addKeys(session, events, now + retention);
    }

    private static FinishedEvent finished(Done done, Map<Long, Long> origins, Instant at) {
        Event event = done.claim().event();
        long position = done.claim().position();
        return new FinishedEvent(
                event.id(),
                event.correlationId(),
                event.orderingKey(),
                event.name(),
                event.source(),
                origins.isEmpty() ? position : origins.getOrDefault(position, position),
                event.created(),
                at,
                done.claim().attempts().failed(),
                done.claim().attempts().interrupted(),
                done.claim().attempts().crashed(),
                done.claim().redrives(),
                done.node(),
                done.duration());
    }

    private static void addKeys(SqlSession session, List<FinishedEvent> events, long keepUntil) throws SQLException {
        Map<String, FinishedEvent> newest = new TreeMap<>();
        for (FinishedEvent event : events) {
            if (event.orderingKey().isPresent()) {
                newest.merge(event.orderingKey().get(), event, JournalRows::newer);
            }
        }
        if (newest.isEmpty()) {
            return;
        }
        if (session instanceof PostgresSession postgres) {
            List<Map.Entry<String, FinishedEvent>> keys = List.copyOf(newest.entrySet());
            PreparedStatement add = session.prepare(JournalSql.POSTGRES_ADD_KEYS);
            add.setArray(1, postgres.texts(keys, Map.Entry::getKey));
            add.setArray(
                    2, postgres.bigints(keys, key -> Micros.of(key.getValue().created())));
            add.setArray(3, postgres.bigints(keys, key -> key.getValue().origin()));
            add.setArray(4, postgres.bigints(keys, key -> keepUntil));
            add.executeUpdate();
            return;
        }
        PreparedStatement add = session.prepare(JournalSql.SQLITE_ADD_KEY);
        for (Map.Entry<String, FinishedEvent> key : newest.entrySet()) {
            add.setString(1, key.getKey());
            add.setLong(2, Micros.of(key.getValue().created()));
            add.setLong(3, key.getValue().origin());
            add.setLong(4, keepUntil);
            add.addBatch();
        }
        add.executeBatch();
    }

    private static FinishedEvent newer(FinishedEvent one, FinishedEvent other) {
        int order = one.created().compareTo(other.created());
        return order > 0 || order == 0 && one.origin() > other.origin() ? one : other;
    }

    /** Gathers the oldest blocks into a segment when enough blocks wait. Returns the number of gathered events. */
    static int gather(SqlSession session) throws SQLException {
        List<Block> blocks = new ArrayList<>();
        int events = 0;
        for (Block block : oldestBlocks(session, BLOCKS_TO_GATHER)) {
            if (events + block.events() <= EVENTS_OF_A_SEGMENT) {
                blocks.add(block);
                events += block.events();
            }
        }
        if (events < EVENTS_TO_GATHER && blocks.size() < BLOCKS_TO_GATHER) {
            return 0;
        }
        List<FinishedEvent> all = events(session, blocks);
        addSegment(session, all, blocks);
        removeBlocks(session, blocks);
        return events;
    }

    private static List<Block> oldestBlocks(SqlSession session, int limit) throws SQLException {
        PreparedStatement oldest = session.prepare(JournalSql.OLDEST_BLOCKS + session.dialect().forUpdateSkipLocked);
        oldest.setInt(1, limit);
        List<Block> blocks = new ArrayList<>();
        try (ResultSet row = oldest.executeQuery()) {
            while (row.next()) {
                blocks.add(new Block(row.getLong(1), row.getInt(2), row.getLong(3), row.getLong(4)));
            }
        }
        return blocks;
    }

    private static List<FinishedEvent> events(SqlSession session, List<Block> blocks) throws SQLException {
        List<FinishedEvent> events = new ArrayList<>();
        PreparedStatement read = session.prepare(JournalSql.BLOCKS.formatted(session.dialect().idIsOneOf));
        read.setObject(1, numbers(session, blocks));
        try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
                events.addAll(PackedEvents.unpack(row.getBytes(1)));
            }
        }
        return events;
    }

    private static Object numbers(SqlSession session, List<Block> blocks) {
        return session.dialect().ids(blocks.stream().map(Block::number).collect(Collectors.toSet()));
    }

    private static void addSegment(SqlSession session, List<FinishedEvent> events, List<Block> blocks)
            throws SQLException {
        PreparedStatement add = session.prepare(JournalSql.ADD_SEGMENT);
        add.setInt(1, events.size());
        add.setLong(2, blocks.stream().mapToLong(Block::finishedAt).min().orElse(0));
        add.setLong(3, blocks.stream().mapToLong(Block::finishedAt).max().orElse(0));
        add.setLong(4, blocks.stream().mapToLong(Block::keepUntil).max().orElse(0));
        long segment;
        try (ResultSet row = add.executeQuery()) {
            row.next();
            segment = row.getLong(1);
        }
        List<List<FinishedEvent>> pages = new ArrayList<>();
        for (int from = 0; from < events.size(); from += EVENTS_OF_A_PAGE) {
            pages.add(events.subList(from, Math.min(events.size(), from + EVENTS_OF_A_PAGE)));
        }
        List<Keyed> packed = new ArrayList<>(pages.size());
        for (int i = 0; i < pages.size(); i++) {
            packed.add(new Keyed(JournalIndex.page(segment, i), PackedEvents.pack(pages.get(i))));
        }
        add(session, JournalSql.SQLITE_ADD_PAGE, JournalSql.POSTGRES_ADD_PAGES, packed);
        List<Keyed> index = JournalIndex.rows(pages).stream()
                .map(row -> new Keyed(JournalIndex.place(segment, row.lowest()), row.hashes()))
                .toList();
        add(session, JournalSql.SQLITE_ADD_ROW, JournalSql.POSTGRES_ADD_ROWS, index);
    }

    /** A row of two columns: a number and bytes. */
    private record Keyed(long key, byte[] bytes) {}

    private static void add(SqlSession session, String sqlite, String postgres, List<Keyed> rows) throws SQLException {
        if (session instanceof PostgresSession server) {
            PreparedStatement add = session.prepare(postgres);
            add.setArray(1, server.bigints(rows, Keyed::key));
            add.setArray(2, server.bytes(rows, Keyed::bytes));
            add.executeUpdate();
            return;
        }
        PreparedStatement add = session.prepare(sqlite);
        for (Keyed row : rows) {
            add.setLong(1, row.key());
            add.setBytes(2, row.bytes());
            add.addBatch();
        }
        add.executeBatch();
    }

    private static void removeBlocks(SqlSession session, List<Block> blocks) throws SQLException {
        if (!blocks.isEmpty()) {
            PreparedStatement remove = session.prepare(
                    session.dialect() == Dialect.SQLITE
                            ? JournalSql.SQLITE_REMOVE_BLOCKS
                            : JournalSql.POSTGRES_REMOVE_BLOCKS);
            remove.setObject(1, numbers(session, blocks));
            remove.executeUpdate();
        }
    }

    /**
     * Removes one segment past its retention; without segments, some blocks. Returns the number of removed events.
     *
     * @param now the present in microseconds
     */
    static int expire(SqlSession session, long now) throws SQLException {
        PreparedStatement oldest = session.prepare(JournalSql.OLDEST_SEGMENT + session.dialect().forUpdateSkipLocked);
        try (ResultSet row = oldest.executeQuery()) {
            if (row.next()) {
                long segment = row.getLong(1);
                return row.getLong(2) <= now ? removeSegment(session, segment, now) : 0;
            }
        }
        List<Block> expired = oldestBlocks(session, BLOCKS_EXPIRED_AT_ONCE).stream()
                .filter(block -> block.keepUntil() <= now)
                .toList();
        List<FinishedEvent> events = expired.isEmpty() ? List.of() : events(session, expired);
        forget(session, events, now);
        removeBlocks(session, expired);
        return events.size();
    }

    private static int removeSegment(SqlSession session, long segment, long now) throws SQLException {
        List<FinishedEvent> events = new ArrayList<>();
        PreparedStatement pages = session.prepare(JournalSql.PAGES_LAST_FIRST);
        pages.setLong(1, JournalIndex.page(segment, 0));
        pages.setLong(2, JournalIndex.page(segment + 1, 0));
        try (ResultSet row = pages.executeQuery()) {
            while (row.next()) {
                events.addAll(PackedEvents.unpack(row.getBytes(1)));
            }
        }
        forget(session, events, now);
        remove(session, JournalSql.REMOVE_PAGES, JournalIndex.page(segment, 0), JournalIndex.page(segment + 1, 0));
        remove(session, JournalSql.REMOVE_ROWS, JournalIndex.place(segment, 0), JournalIndex.place(segment + 1, 0));
        PreparedStatement remove = session.prepare(JournalSql.REMOVE_SEGMENT);
        remove.setLong(1, segment);
        remove.executeUpdate();
        return Math.max(1, events.size());
    }

    private static void remove(SqlSession session, String sql, long from, long before) throws SQLException {
        PreparedStatement remove = session.prepare(sql);
        remove.setLong(1, from);
        remove.setLong(2, before);
        remove.executeUpdate();
    }

    /** Removes the rows that other tables keep for these events. */
    private static void forget(SqlSession session, List<FinishedEvent> events, long now) throws SQLException {
        PreparedStatement attempts = session.prepare(JournalSql.REMOVE_ATTEMPTS);
        PreparedStatement keys = session.prepare(JournalSql.REMOVE_KEY);
        Set<String> forgotten = new HashSet<>();
        for (FinishedEvent event : events) {
            if (event.isSaved()) {
                attempts.setLong(1, event.origin());
                attempts.addBatch();
            }
            if (event.orderingKey().isPresent()
                    && forgotten.add(event.orderingKey().get())) {
                keys.setString(1, event.orderingKey().get());
                keys.setLong(2, now);
                keys.addBatch();
            }
        }
        attempts.executeBatch();
        keys.executeBatch();
    }
}
