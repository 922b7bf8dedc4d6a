package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The whole JVM shares the generator, and so the tests check only properties which hold under any further use. */
final class UuidV7Test {

    @Test
    void ids_have_version_seven_and_the_standard_variant() {
        ManualTime time = new ManualTime();
        for (int i = 0; i < 10_000; i++) {
            UUID id = UuidV7.next(time);
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void an_id_begins_with_its_milliseconds() {
        // Far ahead of all clocks in these tests: no id has borrowed from this time.
        Instant ahead = Instant.parse("2400-01-01T00:00:00Z");
        UUID id = UuidV7.next(new ManualTime(ahead));
        assertThat(id.getMostSignificantBits() >>> 16).isGreaterThanOrEqualTo(ahead.toEpochMilli());
    }

    @Test
    void ids_ascend_as_text_also_within_a_millisecond_and_when_the_clock_steps_back() {
        ManualTime time = new ManualTime();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(UuidV7.next(time).toString());
            if (i == 5_000) {
                time.jump(Duration.ofHours(-1));
            }
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void ids_of_many_threads_are_unique_and_ascend_in_each() throws Exception {
        ManualTime time = new ManualTime();
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            Callable<List<String>> task = () -> {
                List<String> mine = new ArrayList<>();
                for (int i = 0; i < 5_000; i++) {
                    mine.add(UuidV7.next(time).toString());
                }
                return mine;
            };
            List<String> all = new ArrayList<>();
            for (Future<List<String>> each : executor.invokeAll(List.of(task, task, task, task))) {
                assertThat(each.get()).isSorted();
                all.addAll(each.get());
            }
            assertThat(all).hasSize(20_000).doesNotHaveDuplicates();
        } finally {
            executor.shutdownNow();
        }
    }
}
