package io.redrive.jdbc;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.Adoptions;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Bookmark;
import io.redrive.events.BookmarkedAdoptions;
import io.redrive.events.Event;
import io.redrive.events.Settlement;
import io.redrive.events.Takeover;
import io.redrive.events.TakeoverRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Adopts events of logs in the database. The rows of the bookmarks are locked first, so that adoptions of one log follow one
 * another, and a takeover waits for the adoption under way. A dead event is stored and then settled like any other, under
 * a lease that exists only in this transaction.
 */
record PostgresAdoptions(PostgresDatabase database, PostgresClock clock, PublishLimits limits, SqlJournal journal)
        implements Adoptions {

    /** The token of events that die in the transaction that stores them; no claim has this token. */
    private static final long TOKEN = -1;

    @Override
    public Takeover takeOver(TakeoverRequest request, Instant now) {
        return database.hotTransaction(session -> {
            BookmarkRows.Row taken = BookmarkRows.takeOver(session, request);
            return new Takeover(
                    new Bookmark(request.bookmark(), taken.state().epoch()),
                    taken.state().crashes(),
                    BookmarkRows.settled(session, taken, request.from()),
                    keysWith(session, request.keyPrefix()));
        });
    }

    private static Set<String> keysWith(PostgresSession session, String prefix) throws SQLException {
        if (prefix.isEmpty()) {
            return Set.of();
        }
        PreparedStatement waiting = session.prepare(PostgresAdoptionSql.WAITING_IN_RANGE);
        String beyond = BookmarkRows.beyond(prefix);
        waiting.setString(1, prefix);
        waiting.setString(2, beyond);
        waiting.setString(3, prefix);
        waiting.setString(4, beyond);
        return BookmarkRows.texts(waiting);
    }

    @Override
    public AdoptionResult adopt(Bookmark bookmark, Collection<Adoption> adoptions, Instant now) {
        return adoptAll(List.of(new BookmarkedAdoptions(bookmark, List.copyOf(adoptions))), now)
                .get(0);
    }

    @Override
    public List<AdoptionResult> adoptAll(List<BookmarkedAdoptions> all, Instant now) {
        limits.require(all.stream()
                .flatMap(each -> Adoption.requireFew(each.adoptions()).stream())
                .map(adoption -> adoption.settlement().claim().event())
                .toList());
        // All processes lock bookmarks in one order, and before any other row, such as the count of a cause. Otherwise
        // two
        // adoptions could wait for each other, which the server notices after a second only.
        List<BookmarkedAdoptions> ordered = all.stream()
                .sorted(Comparator.comparing(each -> each.bookmark().name()))
                .toList();
        Map<BookmarkedAdoptions, AdoptionResult> results = database.hotTransaction(session -> {
            Map<BookmarkedAdoptions, BookmarkRows.Row> rows = new IdentityHashMap<>();
            Map<BookmarkedAdoptions, AdoptionResult> found = new IdentityHashMap<>();
            for (BookmarkedAdoptions each : ordered) {
                lock(session, each, rows, found);
            }
            List<Adoption> stored = new ArrayList<>();
            long serverNow = serverNow(session);
            for (BookmarkedAdoptions each : ordered) {
                if (rows.containsKey(each)) {
                    long id = Objects.requireNonNull(rows.get(each)).id();
                    found.put(each, settle(session, id, each.adoptions(), serverNow, stored));
                }
            }
            if (!stored.isEmpty()) {
                add(session, placed(session, stored), new Clocks(serverNow, now));
            }
            return found;
        });
        return all.stream()
                .map(each -> Objects.requireNonNull(results.get(each)))
                .toList();
    }

    /** Locks the row of a bookmark and adds the row to {@code rows}; the bookmark of another owner is fenced instead. */
    private static void lock(
            PostgresSession session,
            BookmarkedAdoptions adoptions,
            Map<BookmarkedAdoptions, BookmarkRows.Row> rows,
            Map<BookmarkedAdoptions, AdoptionResult> fenced)
            throws SQLException {
        Bookmark bookmark = adoptions.bookmark();
        Optional<BookmarkRows.Row> found = BookmarkRows.read(session, bookmark.name());
        long epoch = found.map(row -> row.state().epoch()).orElse(0L);
        if (found.isEmpty() || epoch != bookmark.epoch()) {
            fenced.put(adoptions, new AdoptionResult.Fenced(epoch));
        } else {
            rows.put(adoptions, found.get());
        }
    }

    /** Settles places, and adds the adoptions whose event is to be stored to {@code stored}. */
    private static AdoptionResult settle(
            PostgresSession session, long bookmark, List<Adoption> adoptions, long serverNow, List<Adoption> stored)
            throws SQLException {
        Set<Long> fresh = settle(session, bookmark, adoptions, serverNow);
        Set<Long> unseen = new HashSet<>(fresh);
        adoptions.stream()
                .filter(adoption -> unseen.remove(adoption.place()) && !adoption.isDone())
                .forEach(stored::add);
        return new AdoptionResult.Adopted(fresh);
    }

    private long serverNow(PostgresSession session) throws SQLException {
        PreparedStatement query = session.prepare(PostgresSql.NOW);
        clock.bind(query, 1);
        try (ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Set<Long> settle(PostgresSession session, long bookmark, List<Adoption> adoptions, long serverNow)
            throws SQLException {
        PreparedStatement settle = session.prepare(PostgresAdoptionSql.SETTLE);
        settle.setLong(1, bookmark);
        settle.setLong(2, serverNow);
        settle.setArray(3, session.bigints(adoptions, Adoption::place));
        Set<Long> fresh = new LinkedHashSet<>();
        try (ResultSet row = settle.executeQuery()) {
            while (row.next()) {
                fresh.add(row.getLong(1));
            }
        }
        return fresh;
    }

    /** An adoption and the position of its event. */
    private record Placed(long position, Adoption adoption) {
        Event event() {
            return adoption.settlement().claim().event();
        }

        Optional<Settlement.Dead> death() {
            return adoption.death(position, TOKEN);
        }
    }

    /** The same moment on the clock of the server, in microseconds, and on the clock of the caller. */
    private record Clocks(long server, Instant caller) {
        long toServer(Instant instant) {
            return server + Micros.between(caller, instant);
        }

        /** Returns a due time that is not past: a claim would not look for events that were due long ago. */
        long due(Adoption adoption) {
            return Math.max(server, toServer(adoption.due(caller)));
        }
    }

    private static List<Placed> placed(PostgresSession session, List<Adoption> adoptions) throws SQLException {
        PreparedStatement positions = session.prepare(PostgresSql.NEXT_POSITIONS);
        positions.setInt(1, adoptions.size());
        List<Placed> placed = new ArrayList<>();
        try (ResultSet row = positions.executeQuery()) {
            for (Adoption adoption : adoptions) {
                row.next();
                placed.add(new Placed(row.getLong(1), adoption));
            }
        }
        return placed;
    }

    private void add(PostgresSession session, List<Placed> placed, Clocks clocks) throws SQLException {
        insert(session, placed);
        count(session, placed, clocks);
        recordFailures(session, placed);
        List<Placed> waiting =
                placed.stream().filter(each -> each.death().isEmpty()).toList();
        queue(session, PostgresAdoptionSql.QUEUE, waiting, clocks);
        queue(session, PostgresAdoptionSql.CALL_LINES, waiting, clocks);
        List<Settlement> deaths = placed.stream()
                .flatMap(each -> each.death().stream())
                .<Settlement>map(dead -> dead)
                .toList();
        if (!deaths.isEmpty()) {
            Set<Long> held = new HashSet<>();
            deaths.forEach(dead -> held.add(dead.claim().position()));
            Map<Long, PostgresExchange.Lease> leases = Map.of(TOKEN, new PostgresExchange.Lease(clocks.server(), held));
            PostgresExchange.Opening opening =
                    new PostgresExchange.Opening(clocks.server(), 0, 0, false, false, List.of(), leases);
            PostgresSettlements.settle(session, opening, deaths, clocks.caller(), journal);
        }
    }

    private static void insert(PostgresSession session, List<Placed> placed) throws SQLException {
        PreparedStatement insert = session.prepare(PostgresAdoptionSql.INSERT);
        List<Event> events = placed.stream().map(Placed::event).toList();
        int at = 0;
        insert.setArray(++at, session.bigints(placed, Placed::position));
        insert.setArray(++at, session.texts(events, Event::id));
        insert.setArray(++at, session.texts(events, EventRows::correlationId));
        insert.setArray(++at, session.texts(events, Event::name));
        insert.setArray(++at, session.texts(events, Event::source));
        insert.setArray(++at, session.integers(events, event -> event.priority().ordinal()));
        insert.setArray(++at, session.texts(events, event -> event.orderingKey().orElse(null)));
        insert.setArray(++at, session.texts(events, Event::contentType));
        insert.setArray(++at, session.texts(events, event -> StringMapJson.write(event.headers())));
        insert.setArray(++at, session.bigints(events, event -> Micros.of(event.created())));
        insert.setArray(++at, session.bigints(events, event -> Micros.of(event.due())));
        insert.setArray(
                ++at,
                session.bigints(
                        events, event -> event.deadline().map(Micros::of).orElse(null)));
        insert.setArray(++at, session.bytes(events, Event::payload));
        insert.executeUpdate();
    }

    private static void count(PostgresSession session, List<Placed> placed, Clocks clocks) throws SQLException {
        PreparedStatement count = session.prepare(PostgresAdoptionSql.COUNT);
        count.setArray(1, session.bigints(placed, Placed::position));
        count.setArray(
                2,
                session.bigints(
                        placed,
                        each -> clocks.toServer(
                                each.adoption().settlement().claim().firstClaimed())));
        count.setArray(
                3,
                session.bigints(placed, each -> EventRows.nanos(each.adoption().lastDelay())));
        count.setArray(
                4, session.integers(placed, each -> each.adoption().attempts().failed()));
        count.setArray(
                5, session.integers(placed, each -> each.adoption().attempts().interrupted()));
        count.setArray(
                6, session.integers(placed, each -> each.adoption().attempts().crashed()));
        count.executeUpdate();
    }

    private static void recordFailures(PostgresSession session, List<Placed> placed) throws SQLException {
        record Failure(long position, AttemptRecord attempt) {}
        List<Failure> failures = new ArrayList<>();
        placed.forEach(each ->
                each.adoption().failures().forEach(one -> failures.add(new Failure(each.position(), one))));
        if (failures.isEmpty()) {
            return;
        }
        PreparedStatement record = session.prepare(PostgresSql.RECORD_ATTEMPTS);
        int at = 0;
        record.setArray(++at, session.bigints(failures, Failure::position));
        record.setArray(++at, session.integers(failures, it -> it.attempt().number()));
        record.setArray(
                ++at, session.bigints(failures, it -> Micros.of(it.attempt().at())));
        record.setArray(++at, session.texts(failures, it -> it.attempt().node()));
        record.setArray(
                ++at,
                session.bigints(failures, it -> EventRows.nanos(it.attempt().duration())));
        record.setArray(++at, session.texts(failures, it -> it.attempt().errorType()));
        record.setArray(++at, session.texts(failures, it -> it.attempt().message()));
        record.setArray(++at, session.texts(failures, it -> it.attempt().decision()));
        record.setArray(++at, session.texts(failures, it -> it.attempt().why()));
        record.executeUpdate();
    }

    private static void queue(PostgresSession session, String sql, List<Placed> waiting, Clocks clocks)
            throws SQLException {
        if (waiting.isEmpty()) {
            return;
        }
        PreparedStatement queue = session.prepare(sql);
        queue.setArray(1, session.bigints(waiting, Placed::position));
        queue.setArray(2, session.bigints(waiting, each -> clocks.due(each.adoption())));
        queue.setArray(
                3,
                session.integers(
                        waiting,
                        each -> QueueNumbers.of(
                                each.event().priority(), each.adoption().attempts())));
        queue.setArray(
                4,
                session.integers(waiting, each -> each.adoption().waitsBecause().ordinal()));
        queue.setArray(
                5,
                session.bigints(waiting, each -> clocks.toServer(each.adoption().putOff(clocks.caller()))));
        queue.executeUpdate();
    }

    @Override
    public Set<String> waiting(Collection<String> orderingKeys) {
        List<String> asked = List.copyOf(orderingKeys);
        return database.hotTransaction(session -> {
            PreparedStatement waiting = session.prepare(PostgresAdoptionSql.WAITING);
            waiting.setArray(1, session.texts(asked, key -> key));
            waiting.setArray(2, session.texts(asked, key -> key));
            return BookmarkRows.texts(waiting);
        });
    }

    @Override
    public boolean release(Bookmark bookmark) {
        return database.transaction(session -> BookmarkRows.release(session, bookmark));
    }

    @Override
    public int prune(Bookmark bookmark, long below, Duration age, Instant now) {
        return database.hotTransaction(session -> {
            long latest = serverNow(session) - Micros.between(now.minus(age), now);
            return BookmarkRows.prune(session, bookmark, below, latest);
        });
    }

    @Override
    public boolean isShared() {
        return true;
    }
}
