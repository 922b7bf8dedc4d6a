package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.Adoptions;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Events and dead letters in a PostgreSQL database, 13 or newer, shared by any number of nodes. The database's clock
 * decides which events are due and which leases have expired. Thread-safe.
 *
 * <pre>{@code
 * try (EventStore store = PostgresStore.open("jdbc:postgresql://localhost/shop?user=shop&password=secret")) {
 *     store.publish(List.of(event), Instant.now());
 * }
 * }</pre>
 */
public final class PostgresStore implements EventStore {

    private final PostgresDatabase database;
    private final PostgresClock clock;
    private final PublishLimits limits;
    private final PostgresPublish publish;
    private final PostgresLowWater keyMark;
    private final PostgresExchange exchange;
    private final SqlDeadLetters letters;
    private final SqlRedrives redrives;
    private final PublishListeners listeners;
    private final PostgresNotes notes;
    private final PostgresActivityLog activity;
    private final SqlHandledSamples samples;
    private final SqlProposals proposals;
    private final PublishRecorder counted;
    private final SqlJournal journal;
    private final PostgresHints hints;
    private final PostgresListener listener;

    private PostgresStore(PostgresDatabase database, PostgresOptions options, PostgresClock clock, Time time) {
        this.database = database;
        this.clock = clock;
        limits = new PublishLimits(options.maxPayload());
        publish = new PostgresPublish(clock, options.keyRetention());
        keyMark = new PostgresLowWater(time);
        listeners = new PublishListeners(database.address());
        journal = new SqlJournal(new JournalTransactions.OnPostgres(database, clock), options.journalRetention());
        exchange = new PostgresExchange(clock, time, journal, this::published);
        notes = new PostgresNotes(database);
        activity = new PostgresActivityLog(database, clock);
        counted = new PublishRecorder(activity);
        PostgresLetterTransactions transactions = new PostgresLetterTransactions(database, clock);
        letters = new SqlDeadLetters(transactions, limits, this::published);
        redrives = new SqlRedrives(transactions, this::published);
        samples = new SqlHandledSamples(transactions);
        proposals = new SqlProposals(transactions);
        String signature = UUID.randomUUID().toString();
        hints = new PostgresHints(database, options.hints(), signature);
        // A LISTEN would stay on a connection which the pooler gives to another client.
        PostgresOptions listening = database.isBehindPooler() ? options.withoutHints() : options;
        listener = new PostgresListener(database.pool(), listening, signature, listeners::wake);
    }

    /**
     * Opens the store in this database with the default options, and creates missing tables.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached or its tables cannot be created
     */
    public static PostgresStore open(String jdbcUrl) {
        return open(jdbcUrl, PostgresOptions.DEFAULT);
    }

    /**
     * Opens the store in this database with its own pool of connections, and creates missing tables.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached or its tables cannot be created
     */
    public static PostgresStore open(String jdbcUrl, PostgresOptions options) {
        PostgresPool pool = PostgresPool.of(jdbcUrl, options);
        try {
            return open(pool, options, PostgresClock.ofServer(), Time.system());
        } catch (SQLException | RuntimeException e) {
            pool.onClose().run();
            throw e instanceof SQLException cause
                    ? PostgresErrors.explained(pool.address(), cause)
                    : (RuntimeException) e;
        }
    }

    /**
     * Returns true when the default schema of this database has the tables of a store; creates no table.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached
     */
    public static boolean exists(String jdbcUrl) {
        PostgresPool pool = PostgresPool.of(jdbcUrl, PostgresOptions.DEFAULT);
        try {
            return new PostgresMigrations(
                            pool.migrations(), new PostgresSchemaName(PostgresSchemaName.USUAL), pool.address())
                    .exists();
        } catch (SQLException e) {
            throw PostgresErrors.explained(pool.address(), e);
        } finally {
            pool.onClose().run();
        }
    }

    /**
     * Opens the store with the application's own connections. The application sets their time-outs; closing the store
     * leaves the source open.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached or its tables cannot be created
     */
    public static PostgresStore open(DataSource source, PostgresOptions options) {
        return open(source, options, PostgresClock.ofServer(), Time.system());
    }

    /** Opens the store with clocks steered by a test. */
    static PostgresStore open(DataSource source, PostgresOptions options, PostgresClock clock, Time time) {
        try {
            return open(PostgresPool.of(source), options, clock, time);
        } catch (SQLException e) {
            throw PostgresErrors.explained("in the given data source", e);
        }
    }

    private static PostgresStore open(PostgresPool pool, PostgresOptions options, PostgresClock clock, Time time)
            throws SQLException {
        return new PostgresStore(PostgresDatabase.open(pool, options), options, clock, time);
    }

    /**
     * The source of the store's connections. Transactions on its connections may publish by {@link #publish(Connection,
     * List, Instant)}.
     */
    public DataSource source() {
        return database.pool().source();
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return publish(events, ImmediateClaim.NONE, now).results();
    }

    @Override
    public PublishedEvents publish(List<Event> events, ImmediateClaim claim, Instant now) {
        List<Event> checked = List.copyOf(events);
        limits.require(checked);
        if (checked.isEmpty()) {
            return new PublishedEvents(List.of(), List.of());
        }
        PublishedEvents published = PostgresPublish.isOneStatement(checked)
                ? database.statement(session -> publish.publish(session, checked, claim, now))
                : database.transaction(session -> publish.publish(session, checked, claim, now));
        counted.count(checked, published.results(), now);
        counted.writeIfDue(now);
        if (published.leavesWork()) {
            published();
        }
        return published;
    }

    /**
     * Publishes one event in the caller's transaction, as {@link #publish(Connection, List, Instant)} does.
     *
     * <pre>{@code
     * connection.setAutoCommit(false);
     * insertOrder(connection, order);
     * store.publish(connection, orderPaid(order), Instant.now());
     * connection.commit();
     * }</pre>
     */
    public PublishResult publish(Connection connection, Event event, Instant now) {
        return publish(connection, List.of(event), now).get(0);
    }

    /**
     * Publishes in the caller's transaction (transactional outbox): the events exist when the transaction commits. The
     * connection must be to the database of this store, with autocommit off; publishing neither commits nor closes it.
     * After an exception the transaction can only be rolled back.
     *
     * <p>Publishing a duplicate of an event in another open transaction waits for the end of that transaction.
     *
     * @return one result for each event, in order
     * @throws IllegalArgumentException when the connection commits each statement, or an event exceeds a limit
     * @throws io.redrive.events.StoreException when the database refuses
     */
    public List<PublishResult> publish(Connection connection, List<Event> events, Instant now) {
        List<Event> checked = List.copyOf(events);
        limits.require(checked);
        if (checked.isEmpty()) {
            return List.of();
        }
        List<PublishResult> results = database.joining(connection, session -> {
            List<PublishResult> published =
                    publish.publish(session, checked, ImmediateClaim.NONE, now).results();
            hints.publishedIn(session);
            return published;
        });
        counted.count(checked, results, now);
        return results;
    }

    /** Settles places of logs in transactions of the caller, for example of Kafka's partitions. */
    public PostgresPlaces places() {
        return new PostgresPlaces(database, clock);
    }

    private void published() {
        listeners.wake();
        hints.published();
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        List<Settlement> checked = List.copyOf(settlements);
        List<ClaimRequest> asked = List.copyOf(requests);
        if (checked.isEmpty() && asked.isEmpty()) {
            return new Exchange(List.of(), List.of());
        }
        return database.hotTransaction(session -> exchange.run(session, checked, asked, now))
                .committed();
    }

    /** Two for a node alone: one waits for the disk while the other works. Of several nodes, one works while another one waits. */
    @Override
    public int exchangesAtOnce(int nodes) {
        return nodes == 1 ? 2 : 1;
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        if (!tokens.isEmpty()) {
            long micros = Micros.between(now, now.plus(lease));
            database.hotTransaction(session -> PostgresClaims.extend(session, clock, List.copyOf(tokens), micros));
        }
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return PostgresRecovery.recover(database, clock, holders);
    }

    @Override
    public int expire(Instant now) {
        counted.writeIfDue(now);
        PostgresLowWater.Scan scan = keyMark.scan();
        int forgotten = database.hotTransaction(session -> publish.forgetKeys(session, scan));
        scan.ended();
        scan.committed();
        return forgotten + PostgresLetterCounts.fold(database) + journal.expire(now);
    }

    @Override
    public StoreStats stats(Instant now) {
        return database.statement(session -> PostgresCounts.stats(session, clock));
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        SqlDeadLetters.requirePage(limit);
        return database.statement(
                session -> ScheduledRows.list(session, PostgresScheduledSql.LIST, filter, limit, now));
    }

    @Override
    public boolean cancel(String id, @Nullable String correlationId, Instant now) {
        return database.transaction(
                session -> PostgresScheduled.cancel(session, id, correlationId == null ? "" : correlationId));
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        return database.hotTransaction(session -> PostgresSetAside.names(session, clock, limit));
    }

    @Override
    public long countSetAside(Set<NamePattern> names) {
        return database.hotTransaction(session -> PostgresSetAside.count(session, names));
    }

    @Override
    public String describe() {
        return "PostgreSQL " + database.address();
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
        return new PostgresHandledKeys(database);
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
        return new PostgresAdoptions(database, clock, limits, journal);
    }

    @Override
    public int maxPayload() {
        return limits.maxPayload();
    }

    @Override
    public UnfinishedEvents unfinished() {
        return new PostgresUnfinishedEvents(database, clock);
    }

    @Override
    public void onPublished(Runnable wake) {
        listeners.add(wake);
        listener.startOnce();
    }

    /** The database, for tests that disturb its connections. */
    PostgresDatabase database() {
        return database;
    }

    /** The id above which calls to lines are read, for tests. */
    long callMark() {
        return exchange.callMark();
    }

    @Override
    public void close() {
        counted.close();
        listener.close();
        hints.close();
        database.close();
    }
}
