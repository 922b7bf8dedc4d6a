package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.PublishResult;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties outside the contracts: query plans, limits of memory, and tables without leftovers. */
final class SqliteStoreTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int MEBIBYTE = 1024 * 1024;

    @TempDir
    private Path dir;

    private SqliteStore store;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_call_whose_events_are_all_claimed_at_once_wakes_nobody() {
        AtomicInteger woken = new AtomicInteger();
        store.onPublished(woken::incrementAndGet);
        BitSet both = new BitSet();
        both.set(0, 2);
        List<Event> events = List.of(
                Event.named("order.paid").source("shop").created(NOW).build(),
                Event.named("order.sent").source("shop").created(NOW).build());
        store.publish(events, new ImmediateClaim("node", both, Duration.ofSeconds(30)), NOW);
        assertThat(woken).hasValue(0);
        store.publish(List.of(Event.named("order.paid").source("shop").build()), NOW);
        assertThat(woken).hasValue(1);
    }

    @Test
    void a_store_that_was_closed_is_one_file() throws IOException {
        store.publish(List.of(Event.named("order.paid").source("shop").build()), NOW);
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
        store.close();
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files).singleElement().asString().endsWith(".db");
        }
    }

    @Test
    void claiming_reads_the_due_end_of_an_index_and_sorts_nothing() {
        assertThat(plan(SqliteSql.DUE))
                .containsExactly("SEARCH events USING INDEX events_ready (queue=? AND due_at<?)");
    }

    @Test
    void statistics_never_read_payloads() {
        assertThat(plan(SqliteSql.STATS))
                .anyMatch(step -> step.contains("events USING COVERING INDEX events_ready"))
                .anyMatch(step -> step.contains("events USING COVERING INDEX events_blocked"))
                .noneMatch(step -> step.equals("SCAN events"));
    }

    @Test
    void every_statement_of_the_hot_path_finds_its_rows_by_an_index() {
        for (String sql : List.of(
                SqliteSql.REMEMBER_KEY,
                SqliteSql.PUBLISH,
                SqliteSql.CLAIM,
                SqliteSql.EXTEND_LEASES,
                SqliteSql.RECOVER,
                SqliteSql.END_LEASE,
                SqliteSql.DONE,
                SqliteSql.FORGET_ATTEMPTS,
                SqliteSql.RETRY,
                SqliteSql.BURY,
                SqliteSql.RECORD_ATTEMPT,
                SqliteSql.UNBLOCK_NEXT,
                SqliteSql.REVIVE,
                LetterSql.HISTORY.formatted("TRUE"),
                RedriveLetterRows.PENDING,
                RedriveLetterRows.UNDER_WAY,
                RedriveLetterRows.LEAVING.formatted("id = 1"),
                RedriveLetterRows.PENDING_ELSEWHERE.formatted("id = 1"),
                RedriveOperationRows.DUE)) {
            assertThat(plan(sql))
                    .as(sql)
                    .noneMatch(step ->
                            step.matches("SCAN (events|event_keys|leases|attempts|dead_letters|redrive_letters)"));
        }
    }

    @Test
    void an_unfinished_event_is_found_by_its_texts_without_reading_the_table() {
        assertThat(plan(SqliteUnfinishedEvents.BY_ID))
                .anyMatch(step -> step.contains("event_keys_key"))
                .anyMatch(step -> step.contains("events_unkeyed"))
                .noneMatch(step -> step.startsWith("SCAN e") || step.startsWith("SCAN keyed"));
        assertThat(plan(SqliteUnfinishedEvents.BY_CORRELATION))
                .anyMatch(step -> step.contains("events_correlation"))
                .noneMatch(step -> step.startsWith("SCAN found"));
        assertThat(plan(SqliteSql.POSITION_BY_SEARCH)).allMatch(step -> step.contains("events_unkeyed"));
    }

    @Test
    void a_done_event_leaves_only_its_key() {
        store.publish(
                List.of(
                        event("a").orderingKey("k").build(),
                        event("b").orderingKey("k").build()),
                NOW);
        Claim first = claimOne();
        store.settle(List.of(new Settlement.Retry(first, NOW, Duration.ZERO, attempt(first))), NOW);
        Claim second = claimOne();
        store.settle(List.of(new Settlement.Dead(second, Reason.POISON, attempt(second), "f", "service")), NOW);
        store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "batch", "ann", false, NOW));
        for (int i = 0; i < 2; i++) {
            assertThat(store.settle(List.of(new Settlement.Done(claimOne())), NOW))
                    .isEmpty();
        }
        assertThat(rowCounts())
                .isEqualTo(Map.of("events", 0, "leases", 0, "attempts", 0, "dead_letters", 0, "event_keys", 2));
    }

    @Test
    void a_purged_letter_leaves_nothing() {
        store.publish(List.of(event("a").build()), NOW);
        Claim claim = claimOne();
        store.settle(List.of(new Settlement.Dead(claim, Reason.POISON, attempt(claim), "f", "service")), NOW);
        store.deadLetters().purge(LetterFilter.ALL, 10, "ann", NOW);
        assertThat(rowCounts())
                .isEqualTo(Map.of("events", 0, "leases", 0, "attempts", 0, "dead_letters", 0, "event_keys", 0));
    }

    @Test
    void a_lease_ends_with_the_last_of_its_events() {
        store.publish(List.of(event("a").build(), event("b").build()), NOW);
        List<Claim> claims = claim(10);
        store.settle(List.of(new Settlement.Done(claims.get(0))), NOW);
        assertThat(rowCounts()).containsEntry("leases", 1);
        assertThat(store.stats(NOW).claimed()).isEqualTo(1);
        store.settle(List.of(new Settlement.Snooze(claims.get(1), NOW)), NOW);
        assertThat(rowCounts()).containsEntry("leases", 0);
    }

    @Test
    void a_claim_of_large_payloads_ends_before_it_fills_the_memory() {
        List<Event> large = IntStream.range(0, 20)
                .mapToObj(i -> event("e" + i).payload(new byte[MEBIBYTE], "x/y").build())
                .toList();
        store.publish(large, NOW);
        assertThat(claim(100)).hasSize(16);
        assertThat(claim(100)).hasSize(4);
    }

    @Test
    void an_empty_payload_stays_empty_also_when_it_is_edited() {
        store.publish(List.of(event("a").build()), NOW);
        Claim claim = claimOne();
        assertThat(claim.event().payloadSize()).isZero();
        store.settle(List.of(new Settlement.Dead(claim, Reason.POISON, attempt(claim), "f", "service")), NOW);
        store.deadLetters().edit(1, new byte[] {1}, "ann", NOW);
        assertThat(store.deadLetters().find(1).orElseThrow().originalPayload()).hasValue(new byte[0]);
        store.deadLetters().edit(1, new byte[0], "ann", NOW);
        assertThat(store.deadLetters().find(1).orElseThrow().event().payloadSize())
                .isZero();
    }

    @Test
    void text_is_found_whatever_its_case_in_any_alphabet() {
        store.publish(List.of(event("a").correlationId("ÄRGER-7").build()), NOW);
        Claim claim = claimOne();
        store.settle(List.of(new Settlement.Dead(claim, Reason.POISON, attempt(claim), "f", "service")), NOW);
        assertThat(store.deadLetters().count(LetterFilter.ALL.withText("ärger")))
                .isEqualTo(1);
        assertThat(store.deadLetters().count(LetterFilter.ALL.withText("a:ärger")))
                .isEqualTo(1);
        assertThat(store.deadLetters().count(LetterFilter.ALL.withText("ärgern")))
                .isZero();
    }

    @Test
    void a_key_past_its_retention_is_no_duplicate_even_before_it_was_forgotten() {
        store.publish(List.of(event("a").build()), NOW);
        Instant later = NOW.plus(SqliteOptions.DEFAULT.keyRetention());
        assertThat(publish("a", later.minusNanos(1_000))).isEqualTo(PublishResult.DUPLICATE);
        assertThat(publish("a", later)).isEqualTo(PublishResult.ACCEPTED);
        assertThat(publish("a", later)).isEqualTo(PublishResult.DUPLICATE);
    }

    @Test
    void times_at_the_ends_of_the_calendar_are_kept_as_well_as_they_fit() {
        store.publish(
                List.of(event("far").created(NOW).due(NOW).deadline(Instant.MAX).build()), NOW);
        assertThat(claimOne().event().deadline())
                .hasValueSatisfying(deadline -> assertThat(deadline).isAfter(Instant.parse("+200000-01-01T00:00:00Z")));
    }

    @Test
    void a_listener_that_throws_does_not_hide_that_the_event_is_stored() {
        List<String> woken = new ArrayList<>();
        store.onPublished(() -> {
            throw new IllegalStateException("broken listener");
        });
        store.onPublished(() -> woken.add("second"));
        assertThat(publish("a", NOW)).isEqualTo(PublishResult.ACCEPTED);
        assertThat(woken).containsExactly("second");
    }

    @Test
    void options_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> SqliteOptions.DEFAULT.withMaxPayload(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxPayload must be between 1 and");
        assertThatThrownBy(() -> SqliteOptions.DEFAULT.withKeyRetention(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keyRetention must be longer than zero");
        assertThatThrownBy(() -> SqliteOptions.DEFAULT.withLockTimeout(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lockTimeout must not be negative");
    }

    private List<String> plan(String sql) {
        return store.writer().write(SqliteGroupCommitWriter.Sync.DURABLE, 0, session -> {
            List<String> steps = new ArrayList<>();
            try (ResultSet row = session.prepare("EXPLAIN QUERY PLAN " + sql).executeQuery()) {
                while (row.next()) {
                    steps.add(row.getString("detail"));
                }
            }
            return steps;
        });
    }

    private Map<String, Integer> rowCounts() {
        return store.writer().write(SqliteGroupCommitWriter.Sync.DURABLE, 0, session -> {
            Map<String, Integer> counts = new TreeMap<>();
            for (String table : List.of("events", "leases", "attempts", "dead_letters", "event_keys")) {
                counts.put(table, count(session, table));
            }
            return counts;
        });
    }

    private static int count(SqliteSession session, String table) throws SQLException {
        try (ResultSet row = session.prepare("SELECT count(*) FROM " + table).executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private PublishResult publish(String id, Instant now) {
        return store.publish(List.of(event(id).build()), now).get(0);
    }

    private Claim claimOne() {
        List<Claim> claims = claim(10);
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    private List<Claim> claim(int demand) {
        return store.claim(new ClaimRequest("node", Lane.DOMAIN, demand, false, Duration.ofSeconds(30), NOW));
    }

    private static Event.Builder event(String id) {
        return Event.named("order.paid").id(id).source("shop").created(NOW);
    }

    private static AttemptRecord attempt(Claim claim) {
        return new AttemptRecord(
                claim.attempts().current(), NOW, "node", Duration.ZERO, "IOException", "reset", "retry", "because");
    }
}
