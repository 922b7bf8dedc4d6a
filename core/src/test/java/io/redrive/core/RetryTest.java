package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryTest {

    private final ManualTime time = new ManualTime();

    @Test
    void call_returns_the_value_of_the_attempt_that_succeeds() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        String value = Retry.with(Presets.CONNECTION).time(time).call(() -> {
            if (calls.incrementAndGet() < 3) {
                throw new IOException("down");
            }
            return "up";
        });
        assertThat(value).isEqualTo("up");
        assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    @Test
    void call_throws_the_original_exception_with_earlier_exceptions_suppressed() {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> Retry.with(Presets.CONNECTION).time(time).call(() -> {
                    throw new IOException("down " + calls.incrementAndGet());
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("down 5")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(5));
    }

    @Test
    void an_outer_retry_leaves_an_inner_exhaustion_alone() {
        AtomicInteger calls = new AtomicInteger();
        Retry retry = Retry.with(Presets.STAGE).time(time);
        assertThatThrownBy(() -> retry.call(() -> retry.call(() -> {
                    calls.incrementAndGet();
                    throw new IOException("down");
                })))
                .isInstanceOf(IOException.class);
        assertThat(calls).hasValue(3);
    }
}
