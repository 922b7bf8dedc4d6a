package io.redrive.jdbc;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.Adoptions;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Bookmark;
import io.redrive.events.BookmarkedAdoptions;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.Settlement;
import io.redrive.events.Takeover;
import io.redrive.events.TakeoverRequest;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Adopts events of logs in the file. The letter of a dead event is written without storing the event before. */
record SqliteAdoptions(SqliteGroupCommitWriter writer, SqliteReaders readers, PublishLimits limits)
        implements Adoptions {

    private static final String SETTLE =
            "INSERT INTO settled (bookmark, place, settled_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

    private static final String INSERT = """
        INSERT INTO events (
            seq, state, queue, due_at, due_set_at, failed, interrupted, crashed, first_claimed_at, last_delay, waits,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, published_due_at, deadline_at, payload, unkeyed)
        VALUES (
            ?1,
            CASE WHEN ?16 IS NOT NULL AND EXISTS (SELECT 1 FROM events WHERE ordering_key = ?16) THEN 2 ELSE 0 END,
            ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, 1)
        """;

    private static final String WAITING_IN_RANGE =
            "SELECT DISTINCT ordering_key FROM events WHERE ordering_key >= ? AND ordering_key < ?";

    private static final String WAITING = "SELECT 1 FROM events WHERE ordering_key = ? LIMIT 1";

    @Override
    public Takeover takeOver(TakeoverRequest request, Instant now) {
        return writer.write(Sync.DURABLE, 0, session -> {
            BookmarkRows.Row taken = BookmarkRows.takeOver(session, request);
            return new Takeover(
                    new Bookmark(request.bookmark(), taken.state().epoch()),
                    taken.state().crashes(),
                    BookmarkRows.settled(session, taken, request.from()),
                    keysWith(session, request.keyPrefix()));
        });
    }

    private static Set<String> keysWith(SqliteSession session, String prefix) throws SQLException {
        if (prefix.isEmpty()) {
            return Set.of();
        }
        PreparedStatement waiting = session.prepare(WAITING_IN_RANGE);
        waiting.setString(1, prefix);
        waiting.setString(2, BookmarkRows.beyond(prefix));
        return BookmarkRows.texts(waiting);
    }

    @Override
    public AdoptionResult adopt(Bookmark bookmark, Collection<Adoption> adoptions, Instant now) {
        return adoptAll(List.of(new BookmarkedAdoptions(bookmark, List.copyOf(adoptions))), now)
                .get(0);
    }

    @Override
    public List<AdoptionResult> adoptAll(List<BookmarkedAdoptions> all, Instant now) {
        List<Event> events = all.stream()
                .flatMap(each -> Adoption.requireFew(each.adoptions()).stream())
                .map(adoption -> adoption.settlement().claim().event())
                .toList();
        limits.require(events);
        return writer.write(Sync.DURABLE, PublishLimits.bytes(events), session -> {
            List<AdoptionResult> results = new ArrayList<>(all.size());
            List<Adoption> dead = new ArrayList<>();
            for (BookmarkedAdoptions each : all) {
                results.add(adopt(session, each, dead, now));
            }
            // Once for all bookmarks: looking up and counting causes costs more than the few letters of one bookmark.
            bury(session, dead, now);
            return results;
        });
    }

    /** Inserts the waiting events of a bookmark, and adds its dead events to {@code dead}. */
    private static AdoptionResult adopt(
            SqliteSession session, BookmarkedAdoptions adoptions, List<Adoption> dead, Instant now)
            throws SQLException {
        Bookmark bookmark = adoptions.bookmark();
        Optional<BookmarkRows.Row> found = BookmarkRows.read(session, bookmark.name());
        long epoch = found.map(row -> row.state().epoch()).orElse(0L);
        if (found.isEmpty() || epoch != bookmark.epoch()) {
            return new AdoptionResult.Fenced(epoch);
        }
        Set<Long> adopted = new LinkedHashSet<>();
        for (Adoption adoption : adoptions.adoptions()) {
            PreparedStatement settle = session.prepare(SETTLE);
            settle.setLong(1, found.get().id());
            settle.setLong(2, adoption.place());
            settle.setLong(3, Micros.of(now));
            if (settle.executeUpdate() == 1) {
                adopted.add(adoption.place());
                if (adoption.settlement() instanceof Settlement.Dead) {
                    dead.add(adoption);
                } else if (!adoption.isDone()) {
                    add(session, adoption, now);
                }
            }
        }
        return new AdoptionResult.Adopted(adopted);
    }

    private static void add(SqliteSession session, Adoption adoption, Instant now) throws SQLException {
        long position = session.nextPosition();
        PreparedStatement insert = session.prepare(INSERT);
        insert.setLong(1, position);
        bindCounts(insert, adoption, now);
        bindEvent(insert, adoption.settlement().claim().event());
        insert.executeUpdate();
        for (AttemptRecord failure : adoption.failures()) {
            PreparedStatement record = session.prepare(SqliteSql.RECORD_ATTEMPT);
            record.setLong(1, position);
            EventRows.bindAttempt(record, failure);
            record.executeUpdate();
        }
    }

    private static void bury(SqliteSession session, List<Adoption> adoptions, Instant now) throws SQLException {
        if (adoptions.isEmpty()) {
            return;
        }
        List<Settlement.Dead> dead = adoptions.stream()
                .map(adoption -> (Settlement.Dead) adoption.settlement())
                .toList();
        Map<String, String> filed = CauseRows.filedUnder(
                session, dead.stream().map(Settlement.Dead::fingerprint).toList());
        List<DeadLetter> letters = new ArrayList<>(dead.size());
        List<Long> origins = new ArrayList<>(dead.size());
        for (int i = 0; i < dead.size(); i++) {
            letters.add(letter(dead.get(i), adoptions.get(i).history(), filed, now));
            origins.add(session.nextPosition());
        }
        SqliteLetterTransactions.insert(session, letters, origins);
        CauseRows.saw(session, dead, filed, Micros.of(now));
    }

    private static DeadLetter letter(
            Settlement.Dead dead, List<AttemptRecord> earlier, Map<String, String> filed, Instant now) {
        Claim claim = dead.claim();
        AttemptRecord last = dead.attempt();
        List<AttemptRecord> history = new ArrayList<>(earlier);
        history.add(last);
        return new DeadLetter(
                0,
                dead.redacted().orElse(claim.event()),
                Optional.empty(),
                dead.reason(),
                last.errorType(),
                last.message(),
                filed.getOrDefault(dead.fingerprint(), dead.fingerprint()),
                dead.service(),
                claim.attempts().plusFailed(),
                0,
                0,
                now,
                history);
    }

    private static void bindCounts(PreparedStatement insert, Adoption adoption, Instant now) throws SQLException {
        Claim claim = adoption.settlement().claim();
        insert.setInt(2, QueueNumbers.of(claim.event().priority(), adoption.attempts()));
        insert.setLong(3, Micros.of(adoption.due(now)));
        insert.setLong(4, Micros.of(adoption.putOff(now)));
        insert.setInt(5, adoption.attempts().failed());
        insert.setInt(6, adoption.attempts().interrupted());
        insert.setInt(7, adoption.attempts().crashed());
        insert.setLong(8, Micros.of(claim.firstClaimed()));
        insert.setLong(9, EventRows.nanos(adoption.lastDelay()));
        insert.setInt(10, adoption.waitsBecause().ordinal());
    }

    private static void bindEvent(PreparedStatement insert, Event event) throws SQLException {
        insert.setString(11, event.id());
        insert.setString(12, EventRows.correlationId(event));
        insert.setString(13, event.name());
        insert.setString(14, event.source());
        insert.setInt(15, event.priority().ordinal());
        insert.setString(16, event.orderingKey().orElse(null));
        insert.setString(17, event.contentType());
        insert.setString(18, StringMapJson.write(event.headers()));
        insert.setLong(19, Micros.of(event.created()));
        insert.setLong(20, Micros.of(event.due()));
        EventRows.bindInstant(insert, 21, event.deadline());
        insert.setBytes(22, event.payload());
    }

    @Override
    public Set<String> waiting(Collection<String> orderingKeys) {
        List<String> asked = List.copyOf(orderingKeys);
        return readers.read(session -> {
            Set<String> waiting = new LinkedHashSet<>();
            PreparedStatement query = session.prepare(WAITING);
            for (String key : asked) {
                query.setString(1, key);
                if (!BookmarkRows.texts(query).isEmpty()) {
                    waiting.add(key);
                }
            }
            return waiting;
        });
    }

    @Override
    public boolean release(Bookmark bookmark) {
        return writer.write(Sync.DURABLE, 0, session -> BookmarkRows.release(session, bookmark));
    }

    @Override
    public int prune(Bookmark bookmark, long below, Duration age, Instant now) {
        long latest = Micros.of(now.minus(age));
        return writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> BookmarkRows.prune(session, bookmark, below, latest));
    }

    /** A file is for the processes of one machine. */
    @Override
    public boolean isShared() {
        return false;
    }
}
