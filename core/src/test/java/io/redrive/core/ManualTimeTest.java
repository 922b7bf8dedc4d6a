package io.redrive.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock for tests, compared with the machine's clock. */
@Timeout(10)
class ManualTimeTest {

    private final ManualTime time = new ManualTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void manual_time_stands_still_until_turned() {
        assertThat(time.now()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(time.nanos()).isZero();
        time.advance(ofSeconds(90));
        assertThat(time.now()).isEqualTo(Instant.parse("2026-01-01T00:01:30Z"));
        assertThat(time.nanos()).isEqualTo(90_000_000_000L);
    }

    @Test
    void tasks_run_when_they_are_due_each_at_its_own_moment() {
        note("third", 3);
        note("first", 1);
        note("second", 2);
        time.advance(ofMillis(999));
        assertThat(ran).isEmpty();
        time.advance(ofMillis(1));
        assertThat(ran).containsExactly("first at PT1S");
        time.advance(ofSeconds(10));
        assertThat(ran).containsExactly("first at PT1S", "second at PT2S", "third at PT3S");
        assertThat(time.nanos()).isEqualTo(11_000_000_000L);
    }

    @Test
    void tasks_of_the_same_moment_run_in_the_order_they_were_given() {
        for (int i = 0; i < 20; i++) {
            note("task " + i, 1);
        }
        time.advance(ofSeconds(1));
        assertThat(ran).hasSize(20).first().isEqualTo("task 0 at PT1S");
        assertThat(ran).last().isEqualTo("task 19 at PT1S");
        assertThat(ran.get(10)).isEqualTo("task 10 at PT1S");
    }

    @Test
    void a_task_scheduled_by_a_task_runs_too_if_due() {
        time.schedule(ofSeconds(1), () -> {
            note("soon", 1);
            note("later", 100);
        });
        time.advance(ofSeconds(2));
        assertThat(ran).containsExactly("soon at PT2S");
        assertThat(time.pending()).isEqualTo(1);
    }

    @Test
    void a_task_without_delay_waits_for_the_next_turn_of_the_clock() {
        note("now", 0);
        assertThat(ran).isEmpty();
        time.advance(ZERO);
        assertThat(ran).containsExactly("now at PT0S");
    }

    @Test
    void a_cancelled_task_never_runs_and_cancelling_late_does_nothing() {
        Time.Scheduled cancelled = time.schedule(ofSeconds(1), () -> ran.add("cancelled"));
        Time.Scheduled kept = time.schedule(ofSeconds(1), () -> ran.add("kept"));
        cancelled.cancel();
        cancelled.cancel();
        assertThat(time.pending()).isEqualTo(1);
        time.advance(ofSeconds(1));
        kept.cancel();
        assertThat(ran).containsExactly("kept");
        assertThat(time.pending()).isZero();
    }

    @Test
    void manual_time_can_be_turned_from_task_to_task() {
        note("one", 5);
        note("two", 7);
        assertThat(time.advanceToNext()).isTrue();
        assertThat(ran).containsExactly("one at PT5S");
        assertThat(time.advanceToNext()).isTrue();
        assertThat(time.advanceToNext()).isFalse();
        assertThat(time.nanos()).isEqualTo(7_000_000_000L);
    }

    @Test
    void a_sleep_returns_at_once_with_the_time_moved_on_and_is_written_down() throws Exception {
        note("meanwhile", 2);
        time.sleep(ofSeconds(3));
        time.sleep(ZERO);
        assertThat(time.nanos()).isEqualTo(3_000_000_000L);
        assertThat(ran).containsExactly("meanwhile at PT2S");
        assertThat(time.sleeps()).containsExactly(ofSeconds(3), ZERO);
    }

    @Test
    void a_manual_sleep_is_interrupted_like_a_real_sleep() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> time.sleep(ofSeconds(1))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(time.sleeps()).isEmpty();
        Thread sleeper = Thread.currentThread();
        time.schedule(ofMillis(1), sleeper::interrupt);
        assertThatThrownBy(() -> time.sleep(ofSeconds(1))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void the_wall_clock_may_jump_while_monotonic_time_goes_on() {
        note("steady", 1);
        time.jump(ofHours(-1));
        assertThat(time.now()).isEqualTo(Instant.parse("2025-12-31T23:00:00Z"));
        assertThat(time.nanos()).isZero();
        time.jump(ofHours(2));
        assertThat(time.now()).isEqualTo(Instant.parse("2026-01-01T01:00:00Z"));
        assertThat(ran).isEmpty();
    }

    @Test
    void the_end_of_time_is_not_passed() {
        time.advance(ofSeconds(1));
        time.schedule(ofSeconds(Long.MAX_VALUE), () -> ran.add("the end"));
        time.advance(ofSeconds(Long.MAX_VALUE));
        time.advance(ofSeconds(1));
        assertThat(time.nanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(ran).containsExactly("the end");
    }

    @Test
    void time_does_not_run_backwards() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> time.advance(ofSeconds(-1)))
                .withMessage("time to advance by must not be negative, got PT-1S");
        time.schedule(ofSeconds(-1), () -> ran.add("overdue"));
        time.advance(ZERO);
        assertThat(ran).containsExactly("overdue");
        assertThat(time.nanos()).isZero();
    }

    @Test
    void a_schedule_of_five_hours_passes_in_milliseconds() {
        RetryPolicy hourly = RetryPolicy.builder()
                .maxAttempts(61)
                .backoff(Backoff.fixed(Duration.ofMinutes(5)))
                .jitter(Jitter.none())
                .build();
        RetryResult<String> result = Retry.with(hourly).time(time).run(() -> {
            throw new IOException("down");
        });
        assertThat(result.attempts()).isEqualTo(61);
        assertThat(result.elapsed()).isEqualTo(ofHours(5));
        assertThat(time.now()).isEqualTo(Instant.parse("2026-01-01T05:00:00Z"));
    }

    @Test
    void the_machine_s_clock_sleeps_schedules_and_cancels() throws Exception {
        Time system = Time.system();
        long before = system.nanos();
        system.sleep(ofMillis(2));
        assertThat(system.nanos() - before).isGreaterThanOrEqualTo(2_000_000L);
        assertThat(system.now())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        AtomicBoolean cancelledRan = new AtomicBoolean();
        // Late enough for a busy machine to cancel the task in time.
        system.schedule(ofMillis(200), () -> cancelledRan.set(true)).cancel();
        CountDownLatch done = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        system.schedule(ofMillis(210), () -> {
            threads.add(Thread.currentThread());
            done.countDown();
        });
        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(cancelledRan).isFalse();
        assertThat(threads.get(0).isDaemon()).isTrue();
        assertThat(threads.get(0).getName()).isEqualTo("redrive-timer");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> system.sleep(ZERO)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void virtual_threads_are_there_exactly_when_the_jvm_has_them() throws Exception {
        boolean expected = Runtime.version().feature() >= 21;
        assertThat(VirtualThreads.available()).isEqualTo(expected);
        assertThat(VirtualThreads.newExecutor()).matches(executor -> executor.isPresent() == expected);
        if (expected) {
            var executor = VirtualThreads.newExecutor().orElseThrow();
            Thread thread = executor.submit(Thread::currentThread).get();
            assertThat(Thread.class.getMethod("isVirtual").invoke(thread)).isEqualTo(true);
            executor.shutdown();
        }
    }

    private void note(String what, long seconds) {
        time.schedule(ofSeconds(seconds), () -> ran.add(what + " at " + Duration.ofNanos(time.nanos())));
    }
}
