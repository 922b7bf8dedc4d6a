package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.StoreException;
import io.redrive.testkit.DeadLettersContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A role with exactly the grants listed in the guide can do everything except create tables. */
final class PostgresGrantsIT extends DeadLettersContract {

    /** As in {@code docs/guide/stores.md}. */
    private static final List<String> GRANTS = List.of(
            "GRANT USAGE ON SCHEMA %s TO redrive_app",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO redrive_app",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA %s TO redrive_app");

    private static final PostgresServer SERVER = PostgresServer.get();
    private static HikariDataSource application;

    @BeforeAll
    static void createRole() {
        SERVER.execute("DROP OWNED BY redrive_app", "42704");
        SERVER.execute("DROP ROLE IF EXISTS redrive_app");
        SERVER.execute("CREATE ROLE redrive_app LOGIN");
        application = new HikariDataSource();
        application.setJdbcUrl(SERVER.url("redrive_app"));
    }

    @AfterAll
    static void closePool() {
        application.close();
    }

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        SERVER.create(dir, time).close();
        grant(SERVER.schemaOf(dir));
        return reopen(dir, time);
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return reopen(dir, time);
    }

    private static EventStore reopen(Path dir, ManualTime time) {
        return PostgresStore.open(
                application,
                PostgresOptions.DEFAULT.withSchema(SERVER.schemaOf(dir)),
                PostgresClock.steeredBy(time),
                time);
    }

    private static void grant(String schema) {
        GRANTS.forEach(grant -> SERVER.execute(grant.formatted(schema)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        USAGE ON SCHEMA granted             | schema granted;     | GRANT USAGE ON SCHEMA granted TO
        INSERT ON granted.events            | table events;       | GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES
        USAGE ON SEQUENCE granted.positions | sequence positions; | GRANT USAGE ON ALL SEQUENCES IN SCHEMA
        """)
    void a_right_that_is_missing_is_named_with_its_grant(String right, String object, String remedy) {
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("granted").withoutHints();
        PostgresStore.open(SERVER.source(), options).close();
        grant("granted");
        SERVER.execute("REVOKE " + right + " FROM redrive_app");
        assertThatThrownBy(() -> {
                    try (PostgresStore store = PostgresStore.open(application, options)) {
                        Event event = Event.named("order.paid").source("shop").build();
                        store.publish(List.of(event), event.created());
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the user lacks a right on " + object)
                .hasMessageContaining(remedy)
                .hasMessageContaining("TO <user>");
    }

    @Test
    void a_run_needs_no_other_rights() {
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("granted_runs");
        SERVER.execute("DROP SCHEMA IF EXISTS granted_runs CASCADE");
        PostgresRunStore.open(SERVER.source(), options).close();
        grant("granted_runs");
        try (PostgresRunStore runs = PostgresRunStore.open(application, options)) {
            MixedRun.runOn(runs);
            assertThat(runs.archive().delete(MixedRun.ID, Instant.now())).isTrue();
        }
    }

    @Test
    void the_guide_lists_these_grants() throws IOException {
        String guide = Files.readString(Path.of("../docs/guide/stores.md"));
        for (String grant : GRANTS) {
            assertThat(guide).contains(grant.formatted("redrive").replace("redrive_app", "shop") + ";");
        }
    }

    @Test
    void a_user_who_may_not_create_a_schema_is_told_who_may() {
        assertThatThrownBy(() -> PostgresStore.open(application, PostgresOptions.DEFAULT.withSchema("not_there")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Let the owner of the schema open the store once")
                .hasMessageContaining("GRANT CREATE ON DATABASE");
    }
}
