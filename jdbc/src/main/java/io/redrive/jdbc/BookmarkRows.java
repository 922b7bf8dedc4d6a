package io.redrive.jdbc;

import io.redrive.events.Bookmark;
import io.redrive.events.BookmarkState;
import io.redrive.events.TakeoverRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Rows of bookmarks and settled places, alike in both databases. */
final class BookmarkRows {

    private static final String ADD = """
        INSERT INTO redrive.bookmarks (name, epoch, owner, released, taken_from, crashes)
        VALUES (?, 0, '', ?, -1, 0)
        ON CONFLICT (name) DO NOTHING
        """;

    private static final String READ =
            "SELECT id, epoch, owner, released, taken_from, crashes FROM redrive.bookmarks WHERE name = ? ";

    private static final String WRITE = """
        UPDATE redrive.bookmarks SET epoch = ?, owner = ?, released = ?, taken_from = ?, crashes = ? WHERE id = ?
        """;

    private static final String FORGET = """
        DELETE FROM redrive.settled
        WHERE place >= ? AND bookmark IN (SELECT id FROM redrive.bookmarks WHERE name = ? OR name = ?)
        """;

    private static final String SETTLED = "SELECT place FROM redrive.settled WHERE bookmark = ? AND place >= ?";

    private static final String PRUNE =
            "DELETE FROM redrive.settled WHERE bookmark = ? AND place < ? AND settled_at <= ?";

    private static final String PRUNE_STORED = """
        DELETE FROM redrive.settled
        WHERE settled_at <= ? AND bookmark = (SELECT id FROM redrive.bookmarks WHERE name = ?)
        """;

    /** How long a stored event's place stays settled, in microseconds: longer than any process is down. */
    private static final long STORED_KEPT = Micros.between(Instant.EPOCH, Instant.EPOCH.plus(7, ChronoUnit.DAYS));

    private BookmarkRows() {}

    /** A bookmark as stored. */
    record Row(long id, BookmarkState state) {}

    /** Creates a missing bookmark, and changes it for a takeover. */
    static Row takeOver(SqlSession session, TakeoverRequest request) throws SQLException {
        PreparedStatement add = session.prepare(ADD);
        add.setString(1, request.bookmark());
        add.setBoolean(2, true);
        add.executeUpdate();
        Row found = read(session, request.bookmark()).orElseThrow();
        Row taken = new Row(found.id(), found.state().takenOver(request));
        write(session, taken);
        if (request.forgetsSettled()) {
            PreparedStatement forget = session.prepare(FORGET);
            forget.setLong(1, request.from());
            forget.setString(2, request.bookmark());
            forget.setString(3, request.bookmark() + PostgresPlaces.STORED);
            forget.executeUpdate();
        }
        return taken;
    }

    /** Returns the row of a bookmark, locked until the transaction ends; empty when there is none. */
    static Optional<Row> read(SqlSession session, String name) throws SQLException {
        PreparedStatement read = session.prepare(READ + session.dialect().forUpdate);
        read.setString(1, name);
        try (ResultSet row = read.executeQuery()) {
            return row.next()
                    ? Optional.of(new Row(
                            row.getLong(1),
                            new BookmarkState(
                                    row.getLong(2),
                                    row.getString(3),
                                    row.getBoolean(4),
                                    row.getLong(5),
                                    row.getInt(6))))
                    : Optional.empty();
        }
    }

    /** Returns the row of a bookmark, locked, if the caller still owns the bookmark. */
    static Optional<Row> owned(SqlSession session, Bookmark bookmark) throws SQLException {
        return read(session, bookmark.name()).filter(row -> row.state().epoch() == bookmark.epoch());
    }

    static void write(SqlSession session, Row row) throws SQLException {
        PreparedStatement write = session.prepare(WRITE);
        BookmarkState state = row.state();
        write.setLong(1, state.epoch());
        write.setString(2, state.owner());
        write.setBoolean(3, state.released());
        write.setLong(4, state.from());
        write.setInt(5, state.crashes());
        write.setLong(6, row.id());
        write.executeUpdate();
    }

    static boolean release(SqlSession session, Bookmark bookmark) throws SQLException {
        Optional<Row> owned = owned(session, bookmark);
        if (owned.isPresent()) {
            write(session, new Row(owned.get().id(), owned.get().state().withRelease()));
        }
        return owned.isPresent();
    }

    static Set<Long> settled(SqlSession session, Row row, long from) throws SQLException {
        PreparedStatement settled = session.prepare(SETTLED);
        settled.setLong(1, row.id());
        settled.setLong(2, from);
        Set<Long> places = new HashSet<>();
        try (ResultSet each = settled.executeQuery()) {
            while (each.next()) {
                places.add(each.getLong(1));
            }
        }
        return places;
    }

    /** Forgets places below a place that were settled until {@code latest}, in microseconds. */
    static int prune(SqlSession session, Bookmark bookmark, long below, long latest) throws SQLException {
        Optional<Row> owned = owned(session, bookmark);
        if (owned.isEmpty()) {
            return 0;
        }
        PreparedStatement stored = session.prepare(PRUNE_STORED);
        stored.setLong(1, latest - STORED_KEPT);
        stored.setString(2, bookmark.name() + PostgresPlaces.STORED);
        stored.executeUpdate();
        PreparedStatement prune = session.prepare(PRUNE);
        prune.setLong(1, owned.get().id());
        prune.setLong(2, below);
        prune.setLong(3, latest);
        return prune.executeUpdate();
    }

    /** Reads a column of texts. */
    static Set<String> texts(PreparedStatement query) throws SQLException {
        Set<String> texts = new HashSet<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                texts.add(row.getString(1));
            }
        }
        return texts;
    }

    /** Returns the lowest text above all texts that begin with {@code prefix}. */
    static String beyond(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }
}
