package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the machine's clock starts later. */
final class SystemTimeTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final Time time = Time.system();

    @Test
    void nothing_is_left_in_the_queue_of_alarms_that_were_called_off() {
        int before = SystemTime.queued();
        for (int i = 0; i < 1_000; i++) {
            time.schedule(LONG, () -> {}).cancel();
        }

        await().untilAsserted(() -> assertThat(SystemTime.queued()).isLessThanOrEqualTo(before));
    }

    @Test
    void a_task_that_comes_after_a_later_one_is_not_kept_waiting_by_it() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Time.Scheduled later = time.schedule(LONG, () -> {});

        time.schedule(Duration.ofMillis(1), ran::countDown);

        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        later.cancel();
    }
}
