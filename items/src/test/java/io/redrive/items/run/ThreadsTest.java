package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Progress;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs on real threads: the number of threads, waits and ends. */
@Timeout(120)
final class ThreadsTest {

    private final Rig rig = new Rig();

    @Test
    void no_more_attempts_run_at_once_than_the_stage_allows() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    Thread.yield();
                    now.decrementAndGet();
                    return text;
                })
                .concurrency(3);
        RunRecord end =
                Run.of(Rig.pipeline(stage), rig.store).from(Rig.numbers(2_000)).run();

        assertThat(end.balance().succeeded()).isEqualTo(2_000);
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void a_sink_that_never_takes_anything_wears_out_the_patience_of_the_run() throws Exception {
        CompletableFuture<Run> started = new CompletableFuture<>();
        Sink<String> broken = Sink.each(result -> {
            Run run = started.get();
            Progress before = run.progress();
            // Steps between two failures of the sink must not count as recovery.
            while (run.progress() == before) {
                Thread.onSpinWait();
            }
            throw new IOException("disk full");
        });
        Run run = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .from(Rig.numbers(3))
                .to(broken)
                .settings(RunSettings.STANDARD.withPatience(Duration.ofMillis(300)))
                .start();
        started.complete(run);

        assertThatThrownBy(run::await).isInstanceOf(IllegalStateException.class).hasMessageContaining("disk full");
    }

    @Test
    void a_run_stopped_while_its_sink_fails_writes_again_before_it_leaves() throws Exception {
        CompletableFuture<Run> started = new CompletableFuture<>();
        AtomicInteger writes = new AtomicInteger();
        Run run = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .from(Rig.numbers(3))
                .to(Sink.batches(results -> {
                    started.get().stop();
                    if (writes.incrementAndGet() == 1) {
                        throw new IOException("busy");
                    }
                }))
                .start();
        started.complete(run);

        assertThat(run.await().balance().succeeded()).isEqualTo(3);
    }

    @Test
    void a_run_that_is_stopped_while_its_sink_fails_does_not_try_beyond_its_stop_limit() throws Exception {
        CompletableFuture<Run> started = new CompletableFuture<>();
        Run run = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .from(Rig.numbers(3))
                .settings(RunSettings.STANDARD.withStopLimit(Duration.ZERO).withPatience(Duration.ofDays(1)))
                .to(Sink.batches(results -> {
                    started.get().stop();
                    throw new IOException("busy");
                }))
                .start();
        started.complete(run);

        assertThatThrownBy(run::await).hasMessageContaining("busy");
    }

    @Test
    void a_run_that_stops_can_still_be_called_off() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Run run = Run.of(
                        Rig.pipeline(Stage.map("s", (String text) -> {
                            begun.countDown();
                            goOn.await();
                            return text;
                        })),
                        rig.store)
                .from(Rig.numbers(3))
                .start();
        begun.await();
        run.stop();
        run.cancel();
        goOn.countDown();

        assertThat(run.await().status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void a_sample_does_not_wait_for_the_read_of_later_samples() {
        CountDownLatch through = new CountDownLatch(1);
        SampleSource<String> slow = () -> {
            Iterator<String> samples = List.of("s0", "s1").iterator();
            return () -> {
                if (!samples.hasNext()) {
                    return Optional.empty();
                }
                String next = samples.next();
                if (next.equals("s1") && !through.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("s0 is not through");
                }
                return Optional.of(Item.of(next, next));
            };
        };
        RunRecord end = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .from(slow)
                .to(Sink.each(result -> through.countDown()))
                .run();

        assertThat(end.balance().succeeded()).isEqualTo(2);
    }

    @Test
    void a_run_starts_once_and_a_new_run_object_resumes_it() throws InterruptedException {
        Run run = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .id("run-1")
                .from(Rig.numbers(3))
                .start();

        assertThatThrownBy(run::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("run 'run-1' was started already; build another to resume it");
        assertThat(run.await().balance().succeeded()).isEqualTo(3);
        assertThatThrownBy(run::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_stage_runs_as_many_batches_at_once_as_its_concurrency() {
        CountDownLatch allThere = new CountDownLatch(4);
        Stage<String, String> stage = Stage.batch("b", 100, (List<String> texts) -> {
                    allThere.countDown();
                    assertThat(allThere.await(60, TimeUnit.SECONDS)).isTrue();
                    return texts;
                })
                .concurrency(4);
        RunRecord end =
                Run.of(Rig.pipeline(stage), rig.store).from(Rig.numbers(400)).run();

        assertThat(end.balance().succeeded()).isEqualTo(400);
    }

    @Test
    void a_stage_runs_as_many_calls_at_once_as_its_concurrency() throws InterruptedException {
        CountDownLatch allThere = new CountDownLatch(16);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    allThere.countDown();
                    assertThat(allThere.await(60, TimeUnit.SECONDS)).isTrue();
                    return text;
                })
                .concurrency(16);
        RunRecord end =
                Run.of(Rig.pipeline(stage), rig.store).from(Rig.numbers(16)).run();

        assertThat(end.balance().succeeded()).isEqualTo(16);
    }

    @Test
    void a_sample_that_hangs_is_interrupted_and_the_others_go_on() {
        RetryPolicy twice = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.none())
                .jitter(Jitter.none())
                .build();
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    if (text.equals("s3")) {
                        new CountDownLatch(1).await();
                    }
                    return text;
                })
                .timeLimit(Duration.ofMillis(50))
                .policy(twice)
                .concurrency(2);
        RunRecord end = Run.of(Rig.pipeline(stage), rig.store)
                .id("run-1")
                .from(Rig.numbers(50))
                .run();

        assertThat(end.balance()).isEqualTo(new Balance(50, 49, 0, 1, 0, 0));
        SampleRecord.Death death =
                rig.store.archive().dead(DeadFilter.ALL, 1).get(0).death();
        assertThat(death.reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(death.errorType()).isEqualTo("timeout");
    }

    @Test
    void how_many_there_are_is_known_while_the_first_attempt_hangs() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return text;
        });
        Run run = Run.of(Rig.pipeline(stage), rig.store)
                .id("run-1")
                .from(Rig.numbers(100))
                .settings(RunSettings.STANDARD.withStopLimit(Duration.ofMillis(10)))
                .start();
        try (run) {
            begun.await();
            Semaphore nobody = new Semaphore(0);
            while (run.progress().size().isEmpty()) {
                assertThat(nobody.tryAcquire(5, TimeUnit.MILLISECONDS)).isFalse();
            }
            assertThat(run.progress())
                    .returns(OptionalLong.of(100), Progress::size)
                    .returns(0L, Progress::processed);
        }
    }

    @Test
    void a_run_that_is_stopped_lets_attempts_finish() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        // One sample: a worker that continues before the stop takes effect waits in this call until the interrupt.
        Semaphore goOn = new Semaphore(0);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    begun.countDown();
                    goOn.acquire();
                    return text;
                })
                .concurrency(1);
        Run run = Run.of(Rig.pipeline(stage), rig.store)
                .id("run-1")
                .from(Rig.numbers(100))
                .settings(RunSettings.STANDARD.withStopLimit(Duration.ofSeconds(3)))
                .start();
        begun.await();
        run.stop();
        goOn.release();
        RunRecord end = run.await();

        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(end.balance().succeeded()).isEqualTo(1);
        assertThat(end.balance().begun()).isEqualTo(99);
    }

    @Test
    void a_run_that_cannot_wait_interrupts_and_spends_no_attempt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return text;
                })
                .concurrency(1);
        Run run = Run.of(Rig.pipeline(stage), rig.store)
                .id("run-1")
                .from(Rig.numbers(3))
                .settings(RunSettings.STANDARD.withStopLimit(Duration.ofMillis(10)))
                .start();
        begun.await();
        run.close();

        assertThat(run.await().balance()).isEqualTo(new Balance(3, 0, 0, 0, 3, 3));
        assertThat(rig.store.archive().attempts("run-1", 0)).isEmpty();
    }

    @Test
    void a_run_that_is_stopped_does_not_wait_for_a_stage_that_heeds_no_interrupt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    begun.countDown();
                    while (goOn.getCount() > 0) {
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            Thread.interrupted();
                        }
                    }
                    return text;
                })
                .withoutTimeLimit()
                .concurrency(1);
        Run run = Run.of(Rig.pipeline(stage), rig.store)
                .id("run-1")
                .from(Rig.numbers(3))
                .settings(RunSettings.STANDARD.withStopLimit(Duration.ofMillis(10)))
                .start();
        begun.await();
        run.close();

        assertThat(run.await().balance()).isEqualTo(new Balance(3, 0, 0, 0, 3, 3));
        goOn.countDown();
    }

    @Test
    void source_and_sink_are_closed_when_the_run_is_over() {
        AtomicInteger sources = new AtomicInteger();
        MemorySink sink = new MemorySink();
        Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .from(SampleSource.stream(() -> Stream.of("a", "b").onClose(sources::incrementAndGet)))
                .to(sink)
                .run();

        assertThat(sources).hasValue(1);
        assertThat(sink.closed).isTrue();
        assertThat(sink.lines).hasSize(2);
    }

    @Test
    void interrupting_the_caller_stops_the_run_and_keeps_the_flag() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> seen = new CompletableFuture<>();
        Stage<String, String> stage = Stage.map("s", (String text) -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return text;
                })
                .concurrency(1);
        Thread caller = new Thread(() -> {
            RunRecord end = Run.of(Rig.pipeline(stage), rig.store)
                    .id("run-1")
                    .from(Rig.numbers(3))
                    .settings(RunSettings.STANDARD.withStopLimit(Duration.ofMillis(10)))
                    .run();
            seen.complete(end.status() + " " + Thread.currentThread().isInterrupted());
        });
        caller.start();
        begun.await();
        caller.interrupt();

        assertThat(seen.get(60, TimeUnit.SECONDS)).isEqualTo("stopped true");
    }

    @Test
    void a_store_that_fails_for_too_long_ends_the_run_and_nothing_is_lost() {
        BrokenRunStore broken = new BrokenRunStore(rig.store);
        Stage<String, String> stage = Stage.map("s", (String text) -> {
            if (text.equals("s500")) {
                broken.broken = true;
            }
            return text;
        });
        ItemPipeline<String, String> pipeline = Rig.pipeline(stage);
        assertThatThrownBy(() -> Run.of(pipeline, broken)
                        .id("run-1")
                        .from(Rig.numbers(1_000))
                        .settings(RunSettings.STANDARD
                                .withPatience(Duration.ofMillis(300))
                                .withCommits(Duration.ZERO, 10))
                        .run())
                .hasMessage("the store is away");
        // The broken store could not end the lease.
        rig.store
                .archive()
                .workers("run-1")
                .forEach(worker -> rig.store.leave(
                        worker.lease(), RunStatus.STOPPED, Time.system().now()));

        RunRecord end = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .id("run-1")
                .from(Rig.numbers(1_000))
                .run();
        assertThat(end.balance()).isEqualTo(new Balance(1_000, 1_000, 0, 0, 0, 0));
    }

    @Test
    void a_sink_that_fails_once_is_opened_again_and_has_everything_once() {
        MemorySink sink = new MemorySink();
        sink.failingWrite = 2;
        RunRecord end = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .from(Rig.numbers(300))
                .to(sink)
                .settings(RunSettings.STANDARD.withWindow(100).withCommits(Duration.ZERO, 10))
                .run();

        assertThat(end.balance().succeeded()).isEqualTo(300);
        assertThat(sink.lines).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void a_run_without_an_audit_trail_still_accounts_for_all() {
        RunRecord end = Run.of(Rig.pipeline(Stage.map("s", (String text) -> text)), rig.store)
                .id("run-1")
                .from(Rig.numbers(100))
                .withoutAudit()
                .run();

        assertThat(end.balance().succeeded()).isEqualTo(100);
        assertThat(rig.store.archive().attempts("run-1", 0)).isEmpty();
        assertThat(RunReport.of(rig.store.archive(), "run-1", rig.time.now()).isAudited())
                .isFalse();
    }

    @Test
    void results_come_in_order_when_asked_for() {
        MemorySink sink = new MemorySink();
        Stage<String, String> uneven = Stage.of("s", null, (text, context) -> {
            if (text.endsWith("7") && context.attempt() == 1) {
                throw new IllegalStateException("once more");
            }
            return StageOutcome.value(text);
        });
        RetryPolicy quick = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .jitter(Jitter.none())
                .build();
        Run.of(Rig.pipeline(uneven.policy(quick)), rig.store)
                .from(Rig.numbers(2_000))
                .to(sink)
                .ordered()
                .run();

        assertThat(sink.lines)
                .hasSize(2_000)
                .isSortedAccordingTo(
                        (a, b) -> Integer.compare(Integer.parseInt(a.substring(1)), Integer.parseInt(b.substring(1))));
    }
}
