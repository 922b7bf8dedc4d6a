package io.redrive.jdbc;

import io.redrive.events.Adoptions;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.HandledKeys;
import io.redrive.events.HandledSamples;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterOutbox;
import io.redrive.events.NamePattern;
import io.redrive.events.Proposals;
import io.redrive.events.PublishRecorder;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import io.redrive.events.Redrives;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import io.redrive.events.StoreStats;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.UnfinishedEvents;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events and dead letters in one SQLite file, with no server to install. Published and settled events survive a crash
 * of the process and, by default, a power loss. Several processes on one machine may share a file (not over a network
 * file system). Thread-safe; concurrent writes share a commit.
 *
 * <pre>{@code
 * try (EventStore store = SqliteStore.open(Path.of("orders.db"))) {
 *     store.publish(List.of(event), Instant.now());
 * }
 * }</pre>
 */
public final class SqliteStore implements EventStore {

    private final SqliteFile file;
    private final SqliteGroupCommitWriter writer;
    private final SqliteReaders readers;
    private final SqlitePublish publish;
    private final PublishLimits limits;
    private final SqlDeadLetters letters;
    private final SqlRedrives redrives;
    private final PublishListeners listeners;
    private final SqliteNotes notes;
    private final SqliteActivityLog activity;
    private final SqlHandledSamples samples;
    private final SqlProposals proposals;
    private final PublishRecorder counted;
    private final SqlJournal journal;
    private final SqliteClockCheck clock;

    private SqliteStore(SqliteFile file, SqliteOptions options) {
        this.file = file;
        writer = new SqliteGroupCommitWriter(file, options.survivesPowerLoss());
        readers = new SqliteReaders(file);
        publish = new SqlitePublish(options);
        limits = new PublishLimits(options.maxPayload());
        listeners = new PublishListeners(file.path().toString());
        SqliteLetterTransactions transactions = new SqliteLetterTransactions(writer, readers);
        letters = new SqlDeadLetters(transactions, limits, listeners::wake);
        redrives = new SqlRedrives(transactions, listeners::wake);
        samples = new SqlHandledSamples(transactions);
        proposals = new SqlProposals(transactions);
        notes = new SqliteNotes(writer, readers);
        activity = new SqliteActivityLog(writer, readers);
        counted = new PublishRecorder(activity);
        journal = new SqlJournal(new JournalTransactions.OnSqlite(writer, readers), options.journalRetention());
        clock = new SqliteClockCheck(file.path(), writer, readers);
    }

    /**
     * Opens the store in this file with the default options, and creates a missing file.
     *
     * @throws io.redrive.events.StoreException when the file cannot be opened or is no store
     */
    public static SqliteStore open(Path path) {
        return open(path, SqliteOptions.DEFAULT);
    }

    /**
     * Opens the store in this file, and creates a missing file.
     *
     * @throws io.redrive.events.StoreException when the file cannot be opened or is no store
     */
    public static SqliteStore open(Path path, SqliteOptions options) {
        SqliteFile file = new SqliteFile(path, options);
        // Before the first connection, which waits for the native library: these classes load meanwhile.
        SqliteStore store = new SqliteStore(file, options);
        try {
            SqliteMigrations.migrate(file);
            store.writer.start();
            return store;
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        }
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return publish(events, ImmediateClaim.NONE, now).results();
    }

    @Override
    public PublishedEvents publish(List<Event> events, ImmediateClaim claim, Instant now) {
        return publish(events, claim, Sync.DURABLE, now);
    }

    /** The log keeps the order of commits: the synced commit with the settlement syncs these events too. */
    @Override
    public List<PublishResult> publishBeforeSettling(List<Event> events, Instant now) {
        return publish(events, ImmediateClaim.NONE, Sync.HARMLESS_TO_LOSE, now).results();
    }

    private PublishedEvents publish(List<Event> events, ImmediateClaim claim, Sync sync, Instant now) {
        List<Event> checked = List.copyOf(events);
        limits.require(checked);
        PublishedEvents published = writer.write(
                sync, PublishLimits.bytes(checked), session -> publish.publish(session, checked, claim, now));
        counted.count(checked, published.results(), now);
        counted.writeIfDue(now);
        if (published.leavesWork()) {
            listeners.wake();
        }
        return published;
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        List<Settlement> checked = List.copyOf(settlements);
        List<ClaimRequest> asked = List.copyOf(requests);
        Exchange exchange = writer.write(checked.isEmpty() ? Sync.HARMLESS_TO_LOSE : Sync.DURABLE, 0, session -> {
            List<Claim> stale =
                    checked.isEmpty() ? List.of() : SqliteSettlements.settle(session, checked, now, journal);
            return SqliteClaims.claim(session, stale, asked);
        });
        journal.added(checked.size());
        return exchange;
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        List<Long> held = List.copyOf(tokens);
        writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> SqliteClaims.extend(session, held, lease, now));
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        clock.check(now);
        return writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> SqliteClaims.recover(session, now, holders));
    }

    @Override
    public int expire(Instant now) {
        counted.writeIfDue(now);
        int forgotten = writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> publish.forgetKeys(session, now));
        return forgotten + journal.expire(now);
    }

    @Override
    public StoreStats stats(Instant now) {
        long at = Micros.of(now);
        return readers.read(session -> {
            PreparedStatement stats = session.prepare(SqliteSql.STATS);
            stats.setLong(1, at);
            try (ResultSet row = stats.executeQuery()) {
                row.next();
                long ready = row.getLong(1);
                long aside = row.getLong(7);
                return new StoreStats(
                        ready + aside,
                        row.getLong(2) - ready,
                        row.getLong(4),
                        row.getLong(5),
                        Micros.toDuration(Math.max(0, at - row.getLong(3))),
                        new StoreStats.Waiting(
                                row.getLong(6),
                                aside,
                                Micros.toDuration(aside == 0 ? 0 : Math.max(0, at - row.getLong(8))),
                                row.getLong(9),
                                row.getLong(10)));
            }
        });
    }

    @Override
    public String describe() {
        return "SQLite file " + file.path();
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        SqlDeadLetters.requirePage(limit);
        return readers.read(session -> ScheduledRows.list(session, SqliteSql.SCHEDULED, filter, limit, now));
    }

    @Override
    public boolean cancel(String id, @Nullable String correlationId, Instant now) {
        String correlation = correlationId == null ? "" : correlationId;
        OptionalLong position = readers.read(session -> SqliteScheduled.position(session, id, correlation));
        return position.isPresent()
                && writer.write(
                        Sync.DURABLE,
                        0,
                        session -> SqliteScheduled.cancel(session, position.getAsLong(), id, correlation));
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        return readers.read(session -> SqliteSetAside.names(session, limit, now));
    }

    @Override
    public long countSetAside(Set<NamePattern> names) {
        return readers.read(session -> SqliteSetAside.count(session, names));
    }

    @Override
    public DeadLetters deadLetters() {
        return letters;
    }

    @Override
    public Redrives redrives() {
        return redrives;
    }

    /** Idempotency keys of handled work, for an {@link io.redrive.events.EventRetry}. */
    public HandledKeys handledKeys() {
        return new SqliteHandledKeys(writer, readers);
    }

    @Override
    public SharedNotes notes() {
        return notes;
    }

    @Override
    public ActivityLog activity() {
        return activity;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public HandledSamples samples() {
        return samples;
    }

    @Override
    public Proposals proposals() {
        return proposals;
    }

    @Override
    public LetterOutbox letterOutbox() {
        return letters.outbox();
    }

    @Override
    public Adoptions adoptions() {
        return new SqliteAdoptions(writer, readers, limits);
    }

    @Override
    public int maxPayload() {
        return limits.maxPayload();
    }

    @Override
    public UnfinishedEvents unfinished() {
        return new SqliteUnfinishedEvents(readers);
    }

    @Override
    public void onPublished(Runnable wake) {
        listeners.add(wake);
    }

    /** The writer, for tests. */
    SqliteGroupCommitWriter writer() {
        return writer;
    }

    @Override
    public void close() {
        counted.close();
        // Writer last: the last connection to close copies the log into the file, unless that connection is read-only.
        try {
            readers.close();
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        } finally {
            writer.close();
        }
    }
}
