package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import io.redrive.events.StoreException;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteGroupCommitWriterTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int FULL = 2;
    private static final int NORMAL = 1;
    private static final int SMALL = 1_000;

    @TempDir
    private Path dir;

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final CountDownLatch gate = new CountDownLatch(1);
    private SqliteStore store;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
    }

    @AfterEach
    void close() {
        gate.countDown();
        store.close();
        callers.shutdown();
    }

    @Test
    void callers_that_wait_together_share_one_commit() {
        long before = store.writer().commits();
        CompletableFuture<?> busy = occupyWriter();
        List<CompletableFuture<List<PublishResult>>> published = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = "e" + i;
            published.add(inBackground(() -> publish(id)));
        }
        await().until(() -> store.writer().queued() == 20);
        gate.countDown();
        busy.join();
        assertThat(published).allSatisfy(each -> assertThat(each.join()).containsExactly(PublishResult.ACCEPTED));
        assertThat(store.writer().commits() - before).isEqualTo(2);
    }

    @Test
    void work_that_fails_does_not_spoil_other_work_in_its_group() {
        CompletableFuture<?> busy = occupyWriter();
        CompletableFuture<?> first = inBackground(() -> publish("first"));
        await().until(() -> store.writer().queued() == 1);
        CompletableFuture<?> broken = inBackground(() -> store.writer().write(Sync.DURABLE, 0, session -> {
            session.prepare("UPDATE counters SET position = position + 1000000").executeUpdate();
            return session.prepare("UPDATE counters SET position = NULL").executeUpdate();
        }));
        await().until(() -> store.writer().queued() == 2);
        CompletableFuture<?> last = inBackground(() -> publish("last"));
        await().until(() -> store.writer().queued() == 3);
        gate.countDown();
        busy.join();
        assertThat(first.join()).isEqualTo(List.of(PublishResult.ACCEPTED));
        assertThat(last.join()).isEqualTo(List.of(PublishResult.ACCEPTED));
        assertThatThrownBy(broken::join).hasRootCauseInstanceOf(java.sql.SQLException.class);
        long position = store.writer().write(Sync.DURABLE, 0, SqliteSession::nextPosition);
        assertThat(position).isLessThan(1_000_000);
    }

    @Test
    void an_exception_from_work_reaches_its_caller_and_leaves_no_transaction_behind() {
        assertThatThrownBy(() -> store.writer().write(Sync.DURABLE, 0, session -> {
                    throw new IllegalStateException("our bug");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("our bug");
        assertThatThrownBy(() -> store.writer().write(Sync.DURABLE, 0, session -> {
                    throw new AssertionError("worse");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(publish("a")).containsExactly(PublishResult.ACCEPTED);
    }

    @Test
    void only_work_that_must_survive_power_loss_is_synced() {
        assertThat(synchronousDuring(Sync.DURABLE)).isEqualTo(FULL);
        assertThat(synchronousDuring(Sync.HARMLESS_TO_LOSE)).isEqualTo(NORMAL);
        assertThat(synchronousDuring(Sync.DURABLE)).isEqualTo(FULL);
    }

    /** A transaction cannot change the setting once begun: work reads the setting which its commit will follow. */
    @Test
    void a_group_with_a_publish_is_synced() {
        assertThat(synchronousDuring(Sync.HARMLESS_TO_LOSE)).isEqualTo(NORMAL);
        long before = store.writer().commits();
        CompletableFuture<?> busy = occupyWriter();
        CompletableFuture<Integer> claim = inBackground(() -> synchronousDuring(Sync.HARMLESS_TO_LOSE));
        await().until(() -> store.writer().queued() == 1);
        CompletableFuture<Integer> publish = inBackground(() -> synchronousDuring(Sync.DURABLE));
        await().until(() -> store.writer().queued() == 2);
        CompletableFuture<Integer> extension = inBackground(() -> synchronousDuring(Sync.HARMLESS_TO_LOSE));
        await().until(() -> store.writer().queued() == 3);
        gate.countDown();
        busy.join();
        assertThat(List.of(claim.join(), publish.join(), extension.join())).containsOnly(FULL);
        assertThat(store.writer().commits() - before).isEqualTo(2);
    }

    @Test
    void nothing_is_synced_where_power_loss_is_accepted() throws Exception {
        Path other = Files.createDirectory(dir.resolve("other"));
        try (SqliteStore fast = SqliteFiles.create(other, SqliteOptions.DEFAULT.withoutPowerLossSafety())) {
            store.close();
            store = fast;
            assertThat(synchronousDuring(Sync.DURABLE)).isEqualTo(NORMAL);
        }
    }

    @Test
    void callers_wait_while_the_queue_holds_its_limit_of_bytes() {
        CompletableFuture<?> busy = occupyWriter();
        long mebibyte = 1024 * 1024;
        CompletableFuture<?> large = inBackground(() -> store.writer().write(Sync.DURABLE, 60 * mebibyte, work -> 1));
        await().until(() -> store.writer().queued() == 1);
        CompletableFuture<?> held = inBackground(() -> store.writer().write(Sync.DURABLE, 10 * mebibyte, work -> 2));
        CompletableFuture<?> small = inBackground(() -> store.writer().write(Sync.DURABLE, SMALL, work -> 3));
        await().until(() -> store.writer().queued() == 2);
        assertThat(held).isNotDone();
        gate.countDown();
        CompletableFuture.allOf(busy, large, held, small).join();
        assertThat(held.join()).isEqualTo(2);
    }

    @Test
    void work_larger_than_the_limit_is_let_in_alone() {
        assertThat(store.writer().<Integer>write(Sync.DURABLE, Long.MAX_VALUE / 2, work -> 7))
                .isEqualTo(7);
    }

    @Test
    void closing_finishes_queued_writes_and_refuses_later_ones() {
        occupyWriter();
        CompletableFuture<List<PublishResult>> queued = inBackground(() -> publish("queued"));
        await().until(() -> store.writer().queued() == 1);
        CompletableFuture<?> closing = inBackground(() -> {
            store.close();
            return null;
        });
        gate.countDown();
        closing.join();
        assertThat(queued.join()).containsExactly(PublishResult.ACCEPTED);
        assertThatThrownBy(() -> publish("late"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> store.stats(NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void an_interrupted_caller_still_learns_that_its_event_was_stored() {
        Thread.currentThread().interrupt();
        List<PublishResult> results = publish("a");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(results).containsExactly(PublishResult.ACCEPTED);
    }

    /** Keeps the writer inside a transaction until the gate opens. */
    private CompletableFuture<?> occupyWriter() {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<?> busy = inBackground(() -> store.writer().write(Sync.DURABLE, 0, session -> {
            inside.countDown();
            awaitUninterruptibly(gate);
            return null;
        }));
        awaitUninterruptibly(inside);
        return busy;
    }

    private int synchronousDuring(Sync sync) {
        return store.writer().write(sync, 0, session -> {
            try (ResultSet row = session.prepare("PRAGMA synchronous").executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        });
    }

    private List<PublishResult> publish(String id) {
        return store.publish(
                List.of(Event.named("order.paid")
                        .id(id)
                        .source("shop")
                        .created(NOW)
                        .build()),
                NOW);
    }

    private <T> CompletableFuture<T> inBackground(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, callers);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
