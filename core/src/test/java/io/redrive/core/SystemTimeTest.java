package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Scheduled tasks of the machine's clock. */
final class SystemTimeTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final Time time = Time.system();

    @Test
    void cancelled_alarms_leave_the_queue() {
        int before = SystemTime.queued();
        for (int i = 0; i < 1_000; i++) {
            time.schedule(LONG, () -> {}).cancel();
        }

        await().untilAsserted(() -> assertThat(SystemTime.queued()).isLessThanOrEqualTo(before));
    }

    @Test
    void a_task_is_not_kept_waiting_by_a_later_task_scheduled_before() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Time.Scheduled later = time.schedule(LONG, () -> {});

        time.schedule(Duration.ofMillis(1), ran::countDown);

        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        later.cancel();
    }
}
