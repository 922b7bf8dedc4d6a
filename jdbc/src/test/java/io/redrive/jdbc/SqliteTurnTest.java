package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SqliteTurnTest {

    private static final long LONG = Duration.ofMinutes(1).toNanos();

    @TempDir
    Path dir;

    @Test
    void one_store_has_the_turn_until_it_passes_the_turn_on() throws Exception {
        try (SqliteTurn one = turn();
                SqliteTurn other = turn()) {
            assertThat(take(one, LONG)).isTrue();
            assertThat(take(other, 0)).isFalse();

            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> take(other, LONG));
            assertThat(waiting).isNotDone();
            one.pass();

            assertThat(waiting.get()).isTrue();
            assertThat(take(one, 0)).isFalse();
            other.pass();
            assertThat(take(one, 0)).isTrue();
        }
    }

    @Test
    void a_store_keeps_its_turn_for_some_transactions_and_then_waits_behind_the_next_store() throws Exception {
        ManualTime time = new ManualTime();
        try (SqliteTurn busy = new SqliteTurn(dir.resolve("store.db"), time);
                SqliteTurn other = turn()) {
            assertThat(take(busy, LONG)).isTrue();
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> take(other, LONG));
            time.advance(Duration.ofNanos(SqliteTurn.LENGTH - 1));
            assertThat(take(busy, 0)).isTrue();

            time.advance(Duration.ofNanos(1));
            while (take(busy, 0)) {
                // The other store has not looked yet: this turn is a new one.
                time.advance(Duration.ofNanos(SqliteTurn.LENGTH));
            }

            assertThat(waiting.get()).isTrue();
            assertThat(take(busy, 0)).isFalse();
        }
    }

    @Test
    void a_store_writes_beside_a_store_that_never_passes_its_turn() {
        Path file = dir.resolve("store.db");
        SqliteOptions hasty = SqliteOptions.DEFAULT.withLockTimeout(Duration.ofMillis(20));
        try (SqliteStore store = SqliteStore.open(file, hasty);
                SqliteTurn stopped = turn()) {
            assertThat(take(stopped, 0)).isTrue();

            assertThat(store.publish(List.of(event()), Instant.EPOCH)).containsExactly(PublishResult.ACCEPTED);
        }
    }

    @Test
    void a_store_that_closes_does_not_wait_for_the_turn() {
        try (SqliteTurn one = turn();
                SqliteTurn other = turn()) {
            assertThat(take(one, LONG)).isTrue();

            other.take(LONG, () -> true);

            assertThat(other.isHeld()).isFalse();
        }
    }

    @Test
    void a_turn_whose_file_another_store_deleted_is_made_again() {
        try (SqliteTurn one = turn()) {
            assertThat(take(one, 0)).isTrue();
            one.pass();
            SqliteTurn other = turn();
            assertThat(take(other, 0)).isTrue();
            other.close();
            assertThat(Files.exists(dir.resolve("store.db-turn"))).isFalse();

            assertThat(take(one, 0)).isTrue();
            assertThat(Files.exists(dir.resolve("store.db-turn"))).isTrue();
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void a_folder_that_refuses_the_file_costs_the_turn_and_no_time() {
        try (SqliteTurn turn = new SqliteTurn(dir.resolve("missing").resolve("store.db"), Time.system())) {
            assertThat(turn.take(LONG, () -> false)).isZero();
            assertThat(turn.isHeld()).isFalse();
        }
    }

    @Test
    void a_store_that_writes_now_and_then_gets_its_turn_beside_a_busy_one() throws Exception {
        Path file = dir.resolve("store.db");
        AtomicBoolean enough = new AtomicBoolean();
        try (SqliteStore busy = SqliteStore.open(file);
                SqliteStore rare = SqliteStore.open(file)) {
            CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    busy.publish(List.of(event()), Instant.EPOCH);
                }
            });
            for (int i = 0; i < 50; i++) {
                assertThat(rare.publish(List.of(event()), Instant.EPOCH)).containsExactly(PublishResult.ACCEPTED);
            }
            enough.set(true);
            flood.get();
        }
        assertThat(files()).containsExactly("store.db");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(dir)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static Event event() {
        return Event.named("order.paid").source("shop").build();
    }

    private SqliteTurn turn() {
        return new SqliteTurn(dir.resolve("store.db"), Time.system());
    }

    private static boolean take(SqliteTurn turn, long nanos) {
        turn.take(nanos, () -> false);
        return turn.isHeld();
    }
}
