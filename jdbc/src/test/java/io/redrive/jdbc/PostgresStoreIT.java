package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.PublishResult;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Features of PostgreSQL alone: a schema, a planner, the server's clock, and transactions with old snapshots. */
final class PostgresStoreIT {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final String COLUMNS = """
        SELECT table_name, column_name, ordinal_position, data_type, is_nullable, is_identity,
            replace(column_default, '%1$s.', '') FROM information_schema.columns WHERE table_schema = '%1$s'""";
    private static final String INDEXES =
            "SELECT indexname, replace(indexdef, '%1$s.', '') FROM pg_indexes WHERE schemaname = '%1$s'";
    private static final String CONSTRAINTS = """
        SELECT conname, replace(pg_get_constraintdef(oid), '%1$s.', '') FROM pg_constraint
        WHERE connamespace = '%1$s'::regnamespace""";

    private final PostgresServer server = PostgresServer.get();

    @TempDir
    private Path dir;

    @Test
    void several_nodes_may_start_at_once_on_an_empty_database() {
        server.execute("DROP SCHEMA IF EXISTS fresh CASCADE");
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("fresh");
        ExecutorService nodes = Executors.newFixedThreadPool(4);
        List<CompletableFuture<PostgresStore>> starting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starting.add(CompletableFuture.supplyAsync(() -> PostgresStore.open(server.url(), options), nodes));
        }
        List<PostgresStore> started =
                starting.stream().map(CompletableFuture::join).toList();
        started.get(0).publish(List.of(event("a").build()), Instant.now());
        assertThat(claim(started.get(3), Instant.now())).hasSize(1);
        started.forEach(PostgresStore::close);
        nodes.shutdown();
    }

    @Test
    void a_new_schema_has_the_tables_of_a_migrated_schema_and_flyway_accepts_it() {
        Flyway migrated = flyway("migrated");
        migrated.migrate();
        server.execute("CREATE SCHEMA created");
        PostgresStore.open(server.source(), PostgresOptions.DEFAULT.withSchema("created"))
                .close();
        for (String shape : List.of(COLUMNS, INDEXES, CONSTRAINTS)) {
            String createdShape = shape.formatted("created");
            String migratedShape = shape.formatted("migrated");
            assertThat(server.count("SELECT count(*) FROM (" + createdShape + ") AS r"))
                    .isGreaterThan(10);
            assertThat(server.count("SELECT count(*) FROM (" + createdShape + " EXCEPT " + migratedShape + ") AS r"))
                    .isZero();
            assertThat(server.count("SELECT count(*) FROM (" + migratedShape + " EXCEPT " + createdShape + ") AS r"))
                    .isZero();
        }
        Flyway created = flyway("created");
        created.validate();
        assertThat(created.info().pending()).isEmpty();
        assertThat(created.migrate().migrationsExecuted).isZero();
        server.execute("DROP SCHEMA created CASCADE");
        server.execute("DROP SCHEMA migrated CASCADE");
    }

    private Flyway flyway(String schema) {
        return Flyway.configure(getClass().getClassLoader())
                .dataSource(server.source())
                .locations("classpath:db/postgres")
                .schemas(schema)
                .table("schema_history")
                .loggers(MigrationLog.class.getName())
                .load();
    }

    @Test
    void a_user_who_may_not_create_tables_can_open_a_store_that_is_there() {
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("shared");
        PostgresStore.open(server.source(), options).close();
        server.execute("DROP OWNED BY clerk", "42704");
        server.execute("DROP ROLE IF EXISTS clerk");
        server.execute("CREATE ROLE clerk LOGIN");
        server.execute("GRANT USAGE ON SCHEMA shared TO clerk");
        server.execute("GRANT ALL ON ALL TABLES IN SCHEMA shared TO clerk");
        server.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA shared TO clerk");
        try (PostgresStore store = PostgresStore.open(server.url("clerk"), options)) {
            assertThat(store.publish(List.of(event(Instant.now() + "").build()), Instant.now()))
                    .containsExactly(PublishResult.ACCEPTED);
        }
        assertThatThrownBy(() -> PostgresStore.open(server.url("clerk"), options.withSchema("forbidden")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("schema forbidden cannot be brought up to date")
                .hasMessageContaining("may the user create tables?");
    }

    @Test
    void a_schema_of_a_newer_version_is_refused() {
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("newer");
        PostgresStore.open(server.source(), options).close();
        server.execute("UPDATE newer.schema_history SET version = '99'");
        assertThatThrownBy(() -> PostgresStore.open(server.source(), options))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "is of a newer Redrive (version 99, this one knows " + PostgresMigrations.VERSION);
        server.execute("DROP SCHEMA newer CASCADE");
    }

    @Test
    void stores_in_different_schemas_know_nothing_of_each_other() {
        ManualTime time = new ManualTime();
        PostgresStore one = server.create(dir.resolve("one"), time);
        PostgresStore two = server.create(dir.resolve("two"), time);
        one.publish(List.of(event("a").build()), time.now());
        assertThat(claim(two, time.now())).isEmpty();
        assertThat(two.publish(List.of(event("a").build()), time.now())).containsExactly(PublishResult.ACCEPTED);
    }

    @Test
    void every_statement_of_the_hot_path_goes_by_index_whatever_the_planner_believes() throws SQLException {
        server.create(dir, new ManualTime());
        server.execute("ANALYZE"); // the tables are empty, where a sequential scan would be the cheapest plan
        // As plain text: an explained statement has parameters, but no values for them.
        try (Connection connection = DriverManager.getConnection(server.url() + "&preferQueryMode=simple")) {
            connection.setAutoCommit(false);
            PreparedStatement begin = connection.prepareStatement(PostgresSql.BEGIN_HOT);
            begin.setString(1, "0");
            begin.setString(2, "0");
            begin.execute();
            for (String sql : List.of(
                    PostgresSql.OPEN_EXCHANGE,
                    PostgresClaimSql.TAKE,
                    PostgresSql.EXTEND_LEASES,
                    PostgresSql.END_LEASES,
                    PostgresSql.SHRINK_LEASE,
                    PostgresClaimSql.RECOVER,
                    PostgresSql.REMOVE,
                    PostgresSql.FORGET_ATTEMPTS,
                    PostgresSql.FORGET_KEYS,
                    PostgresSql.COUNT,
                    PostgresSql.PUT_BACK,
                    PostgresSql.RECORD_ATTEMPTS,
                    PostgresSql.BURY,
                    PostgresSql.LEAVE_LINES,
                    PostgresSql.ANSWER_CALLS,
                    PostgresSql.ACTIVATE)) {
                assertThat(plan(connection, sql)).as(sql).noneMatch(step -> step.contains("Seq Scan"));
            }
            connection.rollback();
        }
    }

    @Test
    void the_servers_clock_decides_when_nodes_disagree() {
        try (PostgresStore store = onServerTime("skewed")) {
            Instant real = Instant.now();
            Instant ahead = real.plus(Duration.ofHours(3));
            Instant behind = real.minus(Duration.ofHours(3));
            store.publish(List.of(event("a").created(ahead).build()), ahead);
            Claim first = claim(store, behind).get(0);
            assertThat(first.event().created()).isEqualTo(ahead.truncatedTo(java.time.temporal.ChronoUnit.MICROS));
            assertThat(store.recover(ahead)).as("the lease has just begun").isZero();
            AttemptRecord attempt = new AttemptRecord(1, behind, "n", Duration.ZERO, "E", "", "retry", "");
            store.settle(List.of(new Settlement.Retry(first, behind, Duration.ZERO, attempt)), behind);
            Claim again = claim(store, ahead).get(0);
            assertThat(again.firstClaimed())
                    .as("in the claimer's time")
                    .isBetween(ahead.minusSeconds(600), ahead.plusMillis(1));
        }
    }

    @Test
    void a_transaction_held_open_does_not_make_claims_step_over_deleted_rows() throws SQLException {
        int events = 6_000;
        try (PostgresStore store = onServerTime("held");
                Connection old = server.source().getConnection()) {
            for (int i = 0; i < events; i += 1_000) {
                store.publish(
                        IntStream.range(0, 1_000).mapToObj(n -> event().build()).toList(), Instant.now());
            }
            old.setAutoCommit(false);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            count(old, "SELECT count(*) FROM held.ready");
            List<Settlement> settlements = List.of();
            int done = 0;
            while (done < events) {
                List<Claim> claims = store.exchange(settlements, List.of(request(Instant.now(), 100)), Instant.now())
                        .claims();
                settlements =
                        claims.stream().<Settlement>map(Settlement.Done::new).toList();
                done += claims.size();
            }
            assertThat(store.settle(settlements, Instant.now())).isEmpty();
            assertThat(count(old, "SELECT count(*) FROM held.ready"))
                    .as("still sees them")
                    .isEqualTo(events);
            server.execute("SELECT pg_stat_force_next_flush()");
            // Without a mark, each claim would step over all rows deleted before: half of 60 claims times 6,000.
            long read = server.count("SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'ready_pkey'"
                    + " AND schemaname = 'held'");
            assertThat(read).isBetween((long) events, 12L * events);
            old.rollback();
            old.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Test
    void connections_that_are_serializable_by_default_will_do() {
        try (PostgresStore store =
                PostgresStore.open(server.serializable(), PostgresOptions.DEFAULT.withSchema("serializable"))) {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<CompletableFuture<Integer>> working = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                working.add(CompletableFuture.supplyAsync(() -> publishAndHandle(store, 25), threads));
            }
            working.forEach(CompletableFuture::join);
            threads.shutdown();
            // A claim without events may have started behind the remaining ones; one of the next claims starts at the
            // beginning.
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                while (handle(store) > 0) {}
                return store.stats(Instant.now()).ready() == 0;
            });
        }
    }

    @Test
    void connections_that_do_not_commit_by_themselves_will_do_and_go_back_as_they_were() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(3);
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("manual");
        server.execute("DROP SCHEMA IF EXISTS manual CASCADE");
        try (HikariDataSource source = new HikariDataSource(config);
                PostgresStore store = PostgresStore.open(source, options);
                PostgresStore other = PostgresStore.open(server.source(), options)) {
            store.publish(List.of(event("a").build()), Instant.now());
            Claim claim = claim(other, Instant.now()).get(0);
            assertThat(store.settle(List.of(new Settlement.Done(claim)), Instant.now()))
                    .isEmpty();
            assertThat(other.stats(Instant.now()).claimed()).isZero();
            try (Connection connection = source.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void a_done_event_leaves_only_its_key() {
        ManualTime time = new ManualTime();
        PostgresStore store = server.create(dir, time);
        store.publish(
                List.of(
                        event("a").orderingKey("k").time(time).build(),
                        event("b").orderingKey("k").time(time).build()),
                time.now());
        Claim first = claim(store, time.now()).get(0);
        AttemptRecord failed = new AttemptRecord(1, time.now(), "n", Duration.ZERO, "E", "", "retry", "");
        store.settle(List.of(new Settlement.Retry(first, time.now(), Duration.ZERO, failed)), time.now());
        Claim second = claim(store, time.now()).get(0);
        store.settle(List.of(new Settlement.Dead(second, Reason.POISON, failed, "f", "s")), time.now());
        store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "batch", "ann", false, time.now()));
        for (int i = 0; i < 2; i++) {
            Claim next = claim(store, time.now()).get(0);
            assertThat(store.settle(List.of(new Settlement.Done(next)), time.now()))
                    .isEmpty();
        }
        Map<String, Long> rows = new TreeMap<>();
        for (String table : List.of(
                "events",
                "ready",
                "leases",
                "tallies",
                "lines",
                "line_calls",
                "attempts",
                "dead_letters",
                "event_keys")) {
            rows.put(table, server.count("SELECT count(*) FROM " + server.schemaOf(dir) + "." + table));
        }
        assertThat(rows).containsEntry("event_keys", 2L);
        rows.remove("event_keys");
        assertThat(rows.values()).containsOnly(0L);
    }

    @Test
    void bad_options_are_refused_with_rule_and_value() {
        assertThatThrownBy(() -> PostgresOptions.DEFAULT.withSchema("No such"))
                .hasMessage(
                        "schema must be 1 to 63 lower-case letters, digits or underscores and not start with a digit,"
                                + " got 'No such'");
        assertThatThrownBy(() -> PostgresOptions.DEFAULT.withConnections(1))
                .hasMessage("connections must be between 2 and 1000, got 1");
        assertThatThrownBy(() -> PostgresOptions.DEFAULT.withAnswerTimeout(Duration.ZERO))
                .hasMessage("answerTimeout must be at least PT0.25S, got PT0S");
        assertThatThrownBy(() -> PostgresStore.open("jdbc:mysql://there/db?password=secret"))
                .hasMessageStartingWith("jdbcUrl must start with jdbc:postgresql:, got jdbc:mysql://there/db; write");
    }

    private int publishAndHandle(PostgresStore store, int rounds) {
        for (int i = 0; i < rounds; i++) {
            store.publish(List.of(event().build(), event().orderingKey("k").build()), Instant.now());
            handle(store);
        }
        return rounds;
    }

    private static int handle(PostgresStore store) {
        List<Claim> claims = claim(store, Instant.now());
        assertThat(store.settle(
                        claims.stream().<Settlement>map(Settlement.Done::new).toList(), Instant.now()))
                .isEmpty();
        return claims.size();
    }

    private PostgresStore onServerTime(String schema) {
        server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        return PostgresStore.open(server.source(), PostgresOptions.DEFAULT.withSchema(schema));
    }

    private List<String> plan(Connection connection, String sql) throws SQLException {
        String named = new PostgresSchemaName(server.schemaOf(dir)).in(sql);
        for (int i = 1; named.contains("?"); i++) {
            named = named.replaceFirst("\\?", "\\$" + i);
        }
        List<String> steps = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("EXPLAIN (GENERIC_PLAN) " + named)) {
            while (row.next()) {
                steps.add(row.getString(1));
            }
        }
        return steps;
    }

    private static long count(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<Claim> claim(PostgresStore store, Instant now) {
        return store.claim(request(now, 100));
    }

    private static ClaimRequest request(Instant now, int demand) {
        return new ClaimRequest("node", Lane.DOMAIN, demand, false, LEASE, now);
    }

    private static Event.Builder event() {
        return Event.named("order.paid").source("shop");
    }

    private static Event.Builder event(String id) {
        return event().id(id);
    }
}
